package io.aktis.cluster.code;

import io.aktis.cluster.code.UnitJar.Found;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.SecureClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes.Name;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of one code unit in a worker.
 *
 * <p>A class is looked for
 *
 * <ol>
 *   <li>in the JDK, as in the program that the unit comes from;
 *   <li>in the engine, if it is in one of the packages that the engine and its users share: the
 *       interface {@code io.aktis} and the engine behind it, and the annotations of JSpecify;
 *   <li>in the files of the unit, in their order.
 * </ol>
 *
 * <p>Nothing else of the engine's class path is seen. A unit is complete: it has the libraries that
 * the program has, in the program's versions, also those that the engine uses too, such as SLF4J.
 * So code of users never meets the engine's versions, nor finds a library by luck that is missing
 * on the next machine. Resources are looked for in the same way.
 *
 * <p>Thread-safe and parallel capable. Whoever makes it closes it, when no code of the unit runs
 * any more: classes that were not loaded before are not found after.
 */
public final class UnitClassLoader extends SecureClassLoader implements Closeable {
  static {
    registerAsParallelCapable();
  }

  /** Packages of the JDK that are not the platform loader's but the system loader's. */
  private static final Set<String> SYSTEM_PACKAGES =
      ModuleLayer.boot().modules().stream()
          .filter(module -> module.getName().startsWith("jdk."))
          .filter(module -> ClassLoader.getSystemClassLoader().equals(module.getClassLoader()))
          .flatMap(module -> module.getPackages().stream())
          .collect(Collectors.toUnmodifiableSet());

  private final ClassLoader engine;
  private final List<UnitJar> jars;
  private final List<Path> files;
  private volatile boolean closed;

  /**
   * Makes a loader; files are opened when they are needed.
   *
   * @param name how the unit is called in messages and stack traces
   * @param files the jars of the unit, in order
   * @param engine the loader of the engine
   */
  public UnitClassLoader(String name, List<Path> files, ClassLoader engine) {
    super(name, ClassLoader.getPlatformClassLoader());
    this.engine = engine;
    this.files = List.copyOf(files);
    this.jars = files.stream().map(UnitJar::new).toList();
  }

  /** Returns the jars of the unit. */
  public List<Path> files() {
    return files;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> type = findLoadedClass(name);
      if (type == null) {
        type = loadShared(name);
      }
      if (type == null) {
        return super.loadClass(name, resolve);
      }
      return type;
    }
  }

  /** Returns null for a class that is not shared, or that the engine of this worker lacks. */
  private @Nullable Class<?> loadShared(String name) throws ClassNotFoundException {
    int dot = name.lastIndexOf('.');
    if (dot > 0 && SYSTEM_PACKAGES.contains(name.substring(0, dot))) {
      return ClassLoader.getSystemClassLoader().loadClass(name);
    }
    if (EngineCode.isShared(name)) {
      try {
        return engine.loadClass(name);
      } catch (ClassNotFoundException e) {
        return null; // such as tests of the engine, which share its packages
      }
    }
    return null;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try {
      Found found = find(name.replace('.', '/') + ".class");
      if (found == null) {
        throw new ClassNotFoundException(
            closed ? name + ": " + this + " is closed" : missing(name));
      }
      return define(name, found);
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " cannot be read from " + this, e);
    }
  }

  private String missing(String name) {
    return name
        + " is not in "
        + this
        + "; what is on the class path of the program when it opens its session is sent to"
        + " workers, and nothing else";
  }

  private @Nullable Found find(String entry) throws IOException {
    for (UnitJar jar : jars) {
      Found found = jar.find(entry);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private Class<?> define(String name, Found found) throws IOException {
    byte[] bytes;
    try (InputStream in = found.open()) {
      bytes = in.readAllBytes();
    }
    int dot = name.lastIndexOf('.');
    if (dot > 0) {
      definePackage(name.substring(0, dot), found.jar());
    }
    // The signers are known when the last byte has been read, and not before.
    CodeSource source = new CodeSource(found.jar().url(), found.entry().getCodeSigners());
    return defineClass(name, bytes, 0, bytes.length, source);
  }

  private void definePackage(String name, UnitJar jar) {
    Package known = getDefinedPackage(name);
    if (known == null) {
      try {
        definePackage(
            name,
            jar.attribute(name, Name.SPECIFICATION_TITLE),
            jar.attribute(name, Name.SPECIFICATION_VERSION),
            jar.attribute(name, Name.SPECIFICATION_VENDOR),
            jar.attribute(name, Name.IMPLEMENTATION_TITLE),
            jar.attribute(name, Name.IMPLEMENTATION_VERSION),
            jar.attribute(name, Name.IMPLEMENTATION_VENDOR),
            jar.seals(name) ? jar.url() : null);
        return;
      } catch (IllegalArgumentException e) {
        known = getDefinedPackage(name); // by another thread, just now
      }
    }
    boolean broken = known.isSealed() ? !known.isSealed(jar.url()) : jar.seals(name);
    if (broken) {
      throw new SecurityException(
          "the package " + name + " is sealed, and " + this + " has it in more than one jar");
    }
  }

  @Override
  public @Nullable URL getResource(String name) {
    URL shared = EngineCode.isSharedResource(name) ? engine.getResource(name) : null;
    return shared != null ? shared : super.getResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    if (!EngineCode.isSharedResource(name)) {
      return super.getResources(name);
    }
    List<URL> urls = Collections.list(engine.getResources(name));
    urls.addAll(Collections.list(super.getResources(name)));
    return Collections.enumeration(urls);
  }

  /** As usual, save that it needs no connection, whose cache would keep the jar open. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    try {
      URL url = getResource(name);
      Found found = url == null ? null : find(name);
      if (found != null && found.url().sameFile(url)) {
        return found.open();
      }
      return url == null ? null : url.openStream();
    } catch (IOException e) {
      return null; // as the method promises
    }
  }

  @Override
  protected @Nullable URL findResource(String name) {
    try {
      Found found = find(name);
      return found == null ? null : found.url();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (UnitJar jar : jars) {
      Found found = jar.find(name);
      if (found != null) {
        urls.add(found.url());
      }
    }
    return Collections.enumeration(urls);
  }

  /**
   * Closes the jars. Idempotent.
   *
   * @throws IOException when one cannot be closed; the others are
   */
  @Override
  public void close() throws IOException {
    closed = true;
    IOException failure = null;
    for (UnitJar jar : jars) {
      try {
        jar.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return "the code unit '" + getName() + "' of " + jars.size() + " files";
  }
}
