package io.aktis.testkit;

import java.util.concurrent.atomic.AtomicReference;

/** Holds the board of this process. Thread-safe. */
final class CurrentBoard {
  static final AtomicReference<SignalBoard> BOARD = new AtomicReference<>(atFirst());

  private CurrentBoard() {}

  /** Somebody else's, if the starter of this process said so. */
  private static SignalBoard atFirst() {
    String address = System.getProperty(SignalServer.PROPERTY);
    return address == null ? new MapSignalBoard() : RemoteSignalBoard.connect(address);
  }
}
