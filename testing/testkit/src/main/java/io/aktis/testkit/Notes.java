package io.aktis.testkit;

import java.util.List;
import java.util.UUID;

/**
 * Lines that the code of tasks writes down and a test reads. A copy of notes is the same notes, so
 * they can be captured and passed.
 *
 * @param id their place on the {@link SignalBoard}
 */
public record Notes(String id) {
  /** Returns new, empty notes. */
  public static Notes empty() {
    return new Notes(UUID.randomUUID().toString());
  }

  /** Appends a line. */
  public void add(String line) {
    SignalBoard.current().note(id, line);
  }

  /** Returns the lines in the order they came. */
  public List<String> lines() {
    return SignalBoard.current().notes(id);
  }

  /** Returns how many lines there are. */
  public int count() {
    return lines().size();
  }

  /** Waits until there are that many lines, 10 seconds at most, and returns them. */
  public List<String> awaitCount(int count) {
    Await.until(count + " lines of notes", () -> count() >= count);
    return lines();
  }
}
