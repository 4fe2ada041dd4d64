package io.aktis.conformance.messages;

import io.aktis.testkit.SignalBoard;
import io.aktis.testkit.SignalServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The classes of tests as workers see them: loaded once more, so that the statics of a test are not
 * those of its tasks, as in two processes. What tests and tasks share is the board, and only
 * through a connection. Thread-safe.
 */
final class WorkerCode extends URLClassLoader {
  private static final List<String> OWN =
      List.of("io.aktis.conformance.", "io.aktis.testkit.", "io.aktis.tools.");

  private WorkerCode(URL[] path) {
    super(path, WorkerCode.class.getClassLoader());
  }

  private static final class Holder {
    static final ClassLoader LOADER = load();
  }

  /** Returns the loader of all workers in this JVM. */
  static ClassLoader loader() {
    return Holder.LOADER;
  }

  /** Makes the loader and serves the board to it; does nothing after the first call. */
  static void prepare() {
    if (loader().equals(WorkerCode.class.getClassLoader())) {
      throw new IllegalStateException("workers must not have the classes of tests");
    }
  }

  private static ClassLoader load() {
    try {
      WorkerCode loader = new WorkerCode(classPath());
      String board = SignalServer.serve(SignalBoard.current()).address();
      Class<?> there = Class.forName(SignalBoard.class.getName(), true, loader);
      Object remote = there.getMethod("at", String.class).invoke(null, board);
      there.getMethod("use", there).invoke(null, remote);
      // Answered when the connection is there at both ends, so that no test is blamed for it.
      there.getMethod("arrivals", String.class).invoke(remote, "no gate");
      return loader;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static URL[] classPath() throws IOException {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    return path.toArray(URL[]::new);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (OWN.stream().noneMatch(name::startsWith)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }
}
