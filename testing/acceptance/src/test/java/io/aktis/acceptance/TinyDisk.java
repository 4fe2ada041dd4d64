package io.aktis.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of a few mebibytes, which can be filled; unmounted when it is closed. */
final class TinyDisk implements AutoCloseable {
  private static final byte[] BLOCK = new byte[4096];

  private final Path directory;

  private TinyDisk(Path directory) {
    this.directory = directory;
  }

  /** Returns what stands in the way of mounting one; empty when nothing does. */
  static String obstacle() {
    return System.getProperty("user.name").equals("root") ? "" : "mounting takes root";
  }

  static TinyDisk mount(Path directory, int mebibytes) {
    return mount(directory, "mode=700,size=" + mebibytes + "m");
  }

  static TinyDisk mountReadOnly(Path directory) {
    return mount(directory, "mode=700,ro");
  }

  private static TinyDisk mount(Path directory, String options) {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
    return new TinyDisk(directory);
  }

  private static void run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  Path directory() {
    return directory;
  }

  private Path filler() {
    return directory.resolve("filler");
  }

  /** Leaves no room. */
  void fill() {
    try (OutputStream out = Files.newOutputStream(filler())) {
      while (directory.toFile().getUsableSpace() > 0) {
        out.write(BLOCK);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** Gives the room back that {@link #fill} took. */
  void free() {
    try {
      Files.deleteIfExists(filler());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    run("umount", "--lazy", directory.toString());
  }
}
