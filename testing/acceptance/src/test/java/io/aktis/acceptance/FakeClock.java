package io.aktis.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A wall clock that can be set while programs run: {@code wallclock.c}, compiled and loaded before
 * their C library. libfaketime would do the same, but makes JVMs slow and their waits spin.
 */
final class FakeClock {
  private static final Path COMPILER = Path.of("/usr/bin/cc");
  private static final Path HEADER = Path.of("/usr/include/stdio.h");
  private static final String SOURCE = "wallclock.c";

  private final Path library;
  private final Path offset;

  private FakeClock(Path library, Path offset) {
    this.library = library;
    this.offset = offset;
  }

  /** Returns why there can be none here; empty when there can. */
  static String obstacle() {
    return Files.isExecutable(COMPILER) && Files.exists(HEADER)
        ? ""
        : "there is no C compiler with its library; the packages gcc and libc6-dev have them";
  }

  /** Makes one that is right. */
  static FakeClock in(Path folder) throws IOException {
    Path source = folder.resolve(SOURCE);
    try (InputStream in = FakeClock.class.getResourceAsStream(SOURCE)) {
      if (in == null) {
        throw new IllegalStateException(SOURCE + " is not among the tests");
      }
      Files.copy(in, source);
    }
    Path library = folder.resolve("wallclock.so");
    List<String> compiler = List.of(COMPILER.toString(), "-shared", "-fPIC", "-O2", "-o");
    List<String> line = new ArrayList<>(compiler);
    line.addAll(List.of(library.toString(), source.toString()));
    try (Program compiling = Program.start(line, Map.of(), folder)) {
      Program.Result compiled = compiling.awaitEnd();
      if (compiled.exitCode() != 0) {
        throw new AssertionError(compiled.text());
      }
    }
    FakeClock clock = new FakeClock(library, folder.resolve("offset"));
    clock.set(Duration.ZERO);
    return clock;
  }

  /**
   * Sets the clock of all programs that have it to so much after the right time. They look once a
   * second.
   */
  void set(Duration after) {
    try { // in one move, for they may read it at any time
      Path next = Files.writeString(offset.resolveSibling("next"), after.toSeconds() + "\n");
      Files.move(next, offset, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A machine that has this clock. */
  Machine machine() {
    return Machine.behind("env", "LD_PRELOAD=" + library, "WALL_CLOCK_FILE=" + offset);
  }
}
