package io.aktis.cluster.code;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Real class files and jars for tests. */
final class TestCode {
  private TestCode() {}

  /** Compiles sources by their class names into a directory, which is made. */
  static Path compile(Path directory, Map<String, String> sources, Path... classPath)
      throws IOException {
    Files.createDirectories(directory);
    List<JavaFileObject> files = new ArrayList<>();
    sources.forEach((name, text) -> files.add(new Source(name, text)));
    StringBuilder path = new StringBuilder(System.getProperty("java.class.path"));
    for (Path entry : classPath) {
      path.append(java.io.File.pathSeparatorChar).append(entry);
    }
    StringWriter words = new StringWriter();
    List<String> options =
        List.of("-proc:none", "-d", directory.toString(), "-cp", path.toString());
    boolean good =
        ToolProvider.getSystemJavaCompiler()
            .getTask(words, null, null, options, null, files)
            .call();
    if (!good) {
      throw new AssertionError(words);
    }
    return directory;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("memory:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  /** Reads the files of a directory by their names in a jar. */
  static Map<String, byte[]> filesOf(Path directory) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (var paths = Files.walk(directory)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(
            directory.relativize(path).toString().replace('\\', '/'), Files.readAllBytes(path));
      }
    }
    return files;
  }

  /** Makes a jar, with the manifest first if there is one. */
  static Path jar(Path file, String manifest, Map<String, byte[]> entries) throws IOException {
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      if (!manifest.isEmpty()) {
        jar.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
        jar.write(
            ("Manifest-Version: 1.0\r\n" + manifest + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      }
      for (var entry : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
    return file;
  }

  /** Compiles sources into a jar. */
  static Path jarOf(Path file, Map<String, String> sources) throws IOException {
    Path classes = compile(Files.createTempDirectory(file.getParent(), "classes"), sources);
    return jar(file, "", filesOf(classes));
  }

  /** Waits for something with a deadline. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("waited in vain for: " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** Names in a directory. */
  static List<String> namesIn(Path directory) {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
