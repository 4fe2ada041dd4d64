package io.aktis.cluster.code;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * What the table of contents of a jar tells.
 *
 * @param isJar whether it is a jar at all; Java passes over what is none
 * @param isEngine whether it is an artifact of the engine
 * @param classPath what its manifest adds to the class path, URLs relative to its own
 */
record JarFacts(boolean isJar, boolean isEngine, List<String> classPath) {
  private static final JarFacts NO_JAR = new JarFacts(false, false, List.of());
  private static final FileFacts<JarFacts> FILES = new FileFacts<>(JarFacts::read);

  /** Returns what is known about a jar, read at most once while the file stays as it is. */
  static JarFacts of(Path file, FileStamp stamp) throws IOException {
    return FILES.of(file, stamp);
  }

  private static JarFacts read(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile(), false)) {
      return new JarFacts(true, isEngine(jar), classPath(jar.getManifest()));
    } catch (ZipException e) {
      return NO_JAR;
    }
  }

  private static boolean isEngine(JarFile jar) {
    return EngineCode.hasDoor(name -> jar.getEntry(name) != null)
        && EngineCode.isArtifact(jar.stream().map(ZipEntry::getName).toList());
  }

  private static List<String> classPath(@Nullable Manifest manifest) {
    String value =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    return value == null || value.isBlank() ? List.of() : List.of(value.strip().split("\\s+"));
  }
}
