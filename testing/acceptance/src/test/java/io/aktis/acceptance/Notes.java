package io.aktis.acceptance;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What tasks have noted of themselves, a line each time one starts. */
record Notes(Path file) {
  /** One start of a task. */
  record Start(long pid, String node) {}

  static Notes in(Machine machine, String name) {
    return new Notes(machine.file(name));
  }

  String path() {
    return file.toString();
  }

  List<Start> starts() {
    try {
      return Files.exists(file)
          ? Files.readAllLines(file).stream()
              .map(line -> line.split(" "))
              .map(words -> new Start(Long.parseLong(words[0]), words[1]))
              .toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for the start of that number, from 1. */
  Start await(int number) {
    Await.until(
        "start " + number + " in " + file.getFileName(),
        Program.PATIENCE,
        () -> starts().size() >= number,
        () -> "There are " + starts());
    return starts().get(number - 1);
  }

  /** Makes the file that tasks wait for. */
  static Path touch(Path file) {
    try {
      return Files.writeString(file, "go");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
