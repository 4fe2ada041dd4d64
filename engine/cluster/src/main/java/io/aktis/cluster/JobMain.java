package io.aktis.cluster;

import io.aktis.cluster.code.MainMethod;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The main class of the driver of a submitted job. Its arguments are the main class of the program
 * and the arguments of that; the program is on the class path of the JVM. It ends when the program
 * does, and at once, with all that it has started, when the node that has started it is gone.
 */
public final class JobMain {
  private static final int NO_MAIN = 3;
  private static final int NODE_GONE = 4;

  private JobMain() {}

  /** Runs the program as {@code java} would; throws what its main method throws. */
  public static void main(String[] args) throws Throwable {
    InputStream fromNode = System.in;
    System.setIn(InputStream.nullInputStream()); // the pipe from the node is not the program's
    Thread.ofPlatform().daemon().name("aktis-job-watch").start(() -> endWithTheNode(fromNode));
    MainMethod main = find(args[0]);
    if (main == null) {
      System.exit(NO_MAIN);
      return;
    }
    main.invoke(Arrays.copyOfRange(args, 1, args.length));
  }

  private static @Nullable MainMethod find(String className) {
    try {
      Class<?> type = Class.forName(className, false, ClassLoader.getSystemClassLoader());
      MainMethod main = MainMethod.of(type).orElse(null);
      if (main == null) {
        System.err.println("the main class " + className + " has no main method");
      }
      return main;
    } catch (ClassNotFoundException | LinkageError e) {
      System.err.println("the main class " + className + " cannot be loaded: " + e);
      return null;
    }
  }

  /** The pipe from the node breaks when the node dies, in whatever way. */
  private static void endWithTheNode(InputStream fromNode) {
    try {
      while (fromNode.read() >= 0) {
        // Nothing is ever sent.
      }
    } catch (IOException broken) {
      end();
    }
    end();
  }

  private static void end() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    Runtime.getRuntime().halt(NODE_GONE);
  }
}
