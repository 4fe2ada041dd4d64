package io.aktis.testkit;

import java.time.Duration;
import java.util.List;

/**
 * Where {@link Gate}s and {@link Notes} live, so that a test and the code of its tasks can meet
 * although the engine copies every value between them.
 *
 * <p>Both know their place on the board only by id. In one JVM the board is a map. In a worker
 * process it is the board of the test's process, asked over a connection to a {@link SignalServer}:
 * the system property {@value SignalServer#PROPERTY} says where that is.
 *
 * <p>Implementations are thread-safe.
 */
public interface SignalBoard {
  /** Returns the board of this process. */
  static SignalBoard current() {
    return CurrentBoard.BOARD.get();
  }

  /** Sets the board of this process. */
  static void use(SignalBoard board) {
    CurrentBoard.BOARD.set(board);
  }

  /**
   * Connects to the board of another process.
   *
   * @param address where its {@link SignalServer} is
   * @throws java.io.UncheckedIOException when nobody serves a board there
   */
  static SignalBoard at(String address) {
    return RemoteSignalBoard.connect(address);
  }

  /** Adds a gate, closed. A gate that the board does not know, or has forgotten, is open. */
  void addGate(String gateId);

  /** Counts an arrival at a gate. */
  void arrive(String gateId);

  /** Returns the arrivals at a gate so far. */
  int arrivals(String gateId);

  /**
   * Waits until a gate is open, {@code atMost} that long.
   *
   * @return whether it is open
   */
  boolean awaitOpen(String gateId, Duration atMost) throws InterruptedException;

  /** Opens a gate for good. */
  void open(String gateId);

  /** Appends a line to notes. */
  void note(String notesId, String line);

  /** Returns the lines of notes in the order they came. */
  List<String> notes(String notesId);

  /** Opens every gate, so that nothing is held any more, and forgets what is on the board. */
  void releaseAll();
}
