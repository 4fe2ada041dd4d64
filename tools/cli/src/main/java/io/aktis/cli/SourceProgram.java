package io.aktis.cli;

import io.aktis.cluster.code.InMemoryCode;
import io.aktis.cluster.code.MainMethod;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes a program from one source file, which is compiled in memory on the class path of Aktis and
 * of further jars.
 */
final class SourceProgram {
  private SourceProgram() {}

  /**
   * Compiles and loads a program.
   *
   * @param jars what it uses besides Aktis
   * @param err where the compiler prints errors, in its own words
   */
  static Program compile(Path file, List<Path> jars, PrintWriter err) {
    Map<String, ByteArrayOutputStream> classes = compileToMemory(file, jars, err);
    ClassLoader above =
        jars.isEmpty() ? Program.class.getClassLoader() : JarProgram.loaderOf("jars", jars);
    ClassLoader loader = new MemoryLoader(file.getFileName().toString(), classes, above);
    MainMethod main =
        mainOf(file, loader, classes)
            .orElseThrow(() ->
                CommandFailure.notStarted(
                    "no class in " + file + " has a main method",
                    "write void main() { ... } in it"));
    return new Program(file.getFileName().toString(), loader, main);
  }

  private static Map<String, ByteArrayOutputStream> compileToMemory(
      Path file, List<Path> jars, PrintWriter err) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw CommandFailure.notStarted(
          "the Java at " + System.getProperty("java.home") + " has no compiler",
          "use a JDK, not a JRE; AKTIS_JAVA_HOME names it");
    }
    StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
    jars.forEach(jar -> classPath.append(File.pathSeparator).append(jar));
    List<String> options = List.of("-proc:none", "-parameters", "-cp", classPath.toString());
    try (StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        MemoryFiles memory = new MemoryFiles(files)) {
      var sources = files.getJavaFileObjects(file);
      if (!compiler.getTask(err, memory, null, options, null, sources).call()) {
        throw CommandFailure.notStarted(file + " does not compile", "");
      }
      return memory.classes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of several classes with a main method, the one named like the file, or else the first. */
  private static Optional<MainMethod> mainOf(
      Path file, ClassLoader loader, Map<String, ByteArrayOutputStream> classes) {
    String fileName = file.getFileName().toString();
    String preferred = fileName.substring(0, fileName.length() - ".java".length());
    List<String> topLevel = new ArrayList<>();
    for (String name : classes.keySet()) {
      String simpleName = name.substring(name.lastIndexOf('.') + 1);
      if (simpleName.equals(preferred)) {
        topLevel.addFirst(name);
      } else if (simpleName.indexOf('$') < 0) {
        topLevel.add(name);
      }
    }
    return topLevel.stream()
        .map(name -> load(loader, name))
        .flatMap(type -> MainMethod.of(type).stream())
        .findFirst();
  }

  private static Class<?> load(ClassLoader loader, String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keeps the class files that the compiler writes, by class name. */
  private static final class MemoryFiles
      extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new LinkedHashMap<>();

    MemoryFiles(StandardJavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String className,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      URI uri = URI.create("memory:///" + className.replace('.', '/') + kind.extension);
      return new SimpleJavaFileObject(uri, kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          classes.put(className, bytes);
          return bytes;
        }
      };
    }
  }

  /** Loads the classes that were compiled to memory; what they use comes from above. */
  private static final class MemoryLoader extends ClassLoader implements InMemoryCode {
    private final Map<String, ByteArrayOutputStream> classes;

    MemoryLoader(String name, Map<String, ByteArrayOutputStream> classes, ClassLoader above) {
      super(name, above);
      this.classes = classes;
    }

    @Override
    public Map<String, byte[]> files() {
      Map<String, byte[]> files = new TreeMap<>();
      classes.forEach(
          (name, bytes) -> files.put(name.replace('.', '/') + ".class", bytes.toByteArray()));
      return files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      ByteArrayOutputStream bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes.toByteArray(), 0, bytes.size());
    }
  }
}
