package io.aktis.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system in memory of a few bytes, for tests; skips the test where none can be mounted. */
record TinyFileSystem(Path directory) implements AutoCloseable {
  static TinyFileSystem mount(Path directory, long bytes) throws IOException {
    Files.createDirectories(directory);
    String size = "size=" + bytes;
    int exit = run("mount", "-t", "tmpfs", "-o", size, "aktis-test", directory.toString());
    assumeTrue(exit == 0, "mounting is not permitted here");
    return new TinyFileSystem(directory);
  }

  private static int run(String... command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (run("umount", "-l", directory.toString()) != 0) {
      throw new IOException("cannot unmount " + directory);
    }
  }
}
