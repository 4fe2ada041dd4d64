package io.aktis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The parts of {@link PrimeCounts} that the demo shows, taken from its source. */
final class Snippet {
  private Snippet() {}

  /** Returns the lines between the marks {@code demo: name} and {@code demo: end}. */
  static String of(String name) {
    return source()
        .lines()
        .dropWhile(line -> !line.strip().equals("// demo: " + name))
        .skip(1)
        .takeWhile(line -> !line.strip().equals("// demo: end"))
        .collect(Collectors.joining("\n"))
        .stripIndent();
  }

  private static String source() {
    try (InputStream in = PrimeCounts.class.getResourceAsStream("PrimeCounts.java")) {
      if (in == null) {
        throw new IllegalStateException("PrimeCounts.java is missing from the jar of the CLI");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
