package io.aktis.cluster.code;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
      return new JarFacts(true, isEngine(jar), classPath(manifest(jar)));
    } catch (ZipException e) {
      return NO_JAR;
    }
  }

  private static boolean isEngine(JarFile jar) {
    return EngineCode.hasDoor(name -> jar.getEntry(name) != null)
        && EngineCode.isArtifact(jar.stream().map(ZipEntry::getName).toList());
  }

  /** Reads no more than the main section: in a signed jar the others are many times as long. */
  private static @Nullable Manifest manifest(JarFile jar) throws IOException {
    ZipEntry entry = jar.getEntry(JarFile.MANIFEST_NAME);
    if (entry == null) {
      return jar.getManifest(); // its name may be written otherwise
    }
    try (InputStream in = new BufferedInputStream(jar.getInputStream(entry))) {
      return new Manifest(new ByteArrayInputStream(mainSection(in)));
    }
  }

  /** Reads up to the first empty line; lines end with CR, LF or both. */
  private static byte[] mainSection(InputStream in) throws IOException {
    ByteArrayOutputStream section = new ByteArrayOutputStream();
    int lineLength = 0;
    int before = -1;
    for (int next = in.read(); next >= 0; next = in.read()) {
      section.write(next);
      boolean isSecondOfEnd = next == '\n' && before == '\r';
      before = next;
      if (next != '\n' && next != '\r') {
        lineLength++;
      } else if (!isSecondOfEnd) {
        if (lineLength == 0) {
          break;
        }
        lineLength = 0;
      }
    }
    return section.toByteArray();
  }

  private static List<String> classPath(@Nullable Manifest manifest) {
    String value =
        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    return value == null || value.isBlank() ? List.of() : List.of(value.strip().split("\\s+"));
  }
}
