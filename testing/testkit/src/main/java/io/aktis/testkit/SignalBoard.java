package io.aktis.testkit;

import java.time.Duration;
import java.util.List;

/**
 * Where {@link Gate}s and {@link Notes} live, so that a test and the code of its tasks can meet
 * although the engine copies every value between them.
 *
 * <p>Both know their place on the board only by id. In one JVM the board is a map; for a cluster of
 * processes another board, which asks the process of the test over a connection, is put in its
 * place with {@link #use}. Every operation can be carried out from afar for that reason.
 *
 * <p>Implementations are thread-safe.
 */
public interface SignalBoard {
  /** Returns the board of this process. */
  static SignalBoard current() {
    return MapSignalBoard.CURRENT.get();
  }

  /** Sets the board of this process. */
  static void use(SignalBoard board) {
    MapSignalBoard.CURRENT.set(board);
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
