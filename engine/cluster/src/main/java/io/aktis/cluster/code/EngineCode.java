package io.aktis.cluster.code;

import io.aktis.Aktis;
import io.aktis.core.owner.OwnerMachine;
import io.aktis.runtime.loop.Loop;
import io.aktis.store.ObjectStore;
import io.aktis.wire.value.ValueCodec;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells what belongs to the engine: its packages, which every worker shares with the code of its
 * job, and the artifacts that hold nothing else, which need not travel.
 *
 * <p>The packages are named one by one and not as all of {@code io.aktis}: the libraries, examples
 * and tools of the project are written against the interface like everybody's programs, and travel
 * like them.
 */
final class EngineCode {
  private static final Set<String> PACKAGES =
      Set.of("io.aktis", "io.aktis.coordination", "io.aktis.function", "io.aktis.spi");
  private static final List<String> TREES =
      List.of(
          "io.aktis.cluster.",
          "io.aktis.core.",
          "io.aktis.runtime.",
          "io.aktis.store.",
          "io.aktis.wire.",
          "org.jspecify.");

  /** One class of each artifact of the engine. */
  private static final List<String> DOORS =
      List.of(
          entryOf(Aktis.class),
          entryOf(OwnerMachine.class),
          entryOf(ValueCodec.class),
          entryOf(ObjectStore.class),
          entryOf(Loop.class),
          entryOf(UnitClassLoader.class));

  private static final String SERVICES = "META-INF/services/";
  private static final String VERSIONS = "META-INF/versions/";
  private static final String CLASS = ".class";

  private EngineCode() {}

  private static String entryOf(Class<?> type) {
    return type.getName().replace('.', '/') + CLASS;
  }

  /** Returns whether the engine and the code of a job must see the same class of that name. */
  static boolean isShared(String className) {
    int dot = className.lastIndexOf('.');
    return dot > 0 && isSharedPackage(className.substring(0, dot));
  }

  private static boolean isSharedPackage(String name) {
    return (name.startsWith("io.aktis") || name.startsWith("org.jspecify"))
        && (PACKAGES.contains(name) || TREES.stream().anyMatch((name + ".")::startsWith));
  }

  /** The same for a resource: one in a package of the engine, or a service of the engine. */
  static boolean isSharedResource(String name) {
    if (name.startsWith(SERVICES)) {
      return isShared(name.substring(SERVICES.length()));
    }
    int slash = name.lastIndexOf('/');
    return slash > 0 && isSharedPackage(name.substring(0, slash).replace('/', '.'));
  }

  /** Returns whether there is reason to look closer: one of the engine's main classes is there. */
  static boolean hasDoor(Predicate<String> hasEntry) {
    return DOORS.stream().anyMatch(hasEntry);
  }

  /**
   * Returns whether these entries are an artifact of the engine. One that holds other classes too,
   * such as a jar with a program and all that it needs, is not.
   */
  static boolean isArtifact(Collection<String> entries) {
    return hasDoor(entries::contains)
        && entries.stream().filter(name -> name.endsWith(CLASS)).allMatch(EngineCode::isOwnClass);
  }

  private static boolean isOwnClass(String entry) {
    String plain = entry;
    if (plain.startsWith(VERSIONS)) {
      plain = plain.substring(plain.indexOf('/', VERSIONS.length()) + 1);
    }
    String className = plain.substring(0, plain.length() - CLASS.length()).replace('/', '.');
    return className.equals("module-info") || isShared(className);
  }
}
