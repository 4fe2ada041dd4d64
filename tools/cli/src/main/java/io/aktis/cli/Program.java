package io.aktis.cli;

import io.aktis.cluster.code.MainMethod;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user's program, loaded and ready to run. Its classes have a loader of their own below the one
 * of this command, which stays open: threads of the program may need it after its main method.
 *
 * @param name how the program is called in messages
 * @param loader the loader of its classes
 * @param main its main method
 */
record Program(String name, ClassLoader loader, MainMethod main) {
  /**
   * Loads a program from a source file or a jar.
   *
   * @param err where the compiler prints what is wrong with a source file
   * @throws CommandFailure when that is not possible
   */
  static Program load(Path file, PrintWriter err) {
    return load(file, List.of(), null, err);
  }

  /**
   * Loads a program from a source file or a jar.
   *
   * @param jars what comes before it on its class path
   * @param mainClass the main class of a jar; null for the one that its manifest names
   * @param err where the compiler prints what is wrong with a source file
   * @throws CommandFailure when that is not possible
   */
  static Program load(Path file, List<Path> jars, @Nullable String mainClass, PrintWriter err) {
    for (Path jar : jars) {
      if (!Files.exists(jar)) {
        throw CommandFailure.notStarted("there is no jar " + jar, "");
      }
    }
    if (!Files.isRegularFile(file)) {
      throw CommandFailure.notStarted(
          Files.exists(file) ? file + " is not a file" : "there is no file " + file,
          "the program is a path to a .java file or a .jar file");
    }
    String name = file.getFileName().toString();
    if (name.endsWith(".java")) {
      return SourceProgram.compile(file, jars, err);
    }
    if (name.endsWith(".jar")) {
      return JarProgram.open(file, jars, mainClass);
    }
    throw CommandFailure.notStarted(
        file + " is neither a .java file nor a .jar file", "compile it to a jar with a Main-Class");
  }

  /**
   * Runs the program on the calling thread, which sees the program's classes meanwhile.
   *
   * @throws ProgramFailure when it throws
   */
  void run(List<String> arguments) throws ProgramFailure {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      main.invoke(arguments.toArray(String[]::new));
    } catch (Throwable e) {
      throw new ProgramFailure(this, e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
