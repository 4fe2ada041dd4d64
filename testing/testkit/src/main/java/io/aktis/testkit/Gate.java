package io.aktis.testkit;

import java.time.Duration;
import java.util.UUID;

/**
 * A door in the code of a task that a test opens: {@code Aktis.run(Gate::pass, gate)} is a task
 * that runs until then. A copy of a gate is the same gate, so it can be captured and passed.
 *
 * @param id its place on the {@link SignalBoard}
 */
public record Gate(String id) {
  /** The first arrival may wait for the start of a process, on a machine that has much to do. */
  private static final Duration ARRIVAL = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Returns a new gate, closed. */
  public static Gate closed() {
    Gate gate = new Gate(UUID.randomUUID().toString());
    SignalBoard.current().addGate(gate.id);
    return gate;
  }

  /**
   * Announces the arrival and waits until the gate is open.
   *
   * @throws AssertionError when nobody opens it within a minute
   */
  public void pass() throws InterruptedException {
    SignalBoard board = SignalBoard.current();
    board.arrive(id);
    if (!board.awaitOpen(id, PATIENCE)) {
      throw new AssertionError("Nobody opened the gate " + id);
    }
  }

  /** The same as {@link #pass}, but an interrupt does not end the wait, nor is it kept. */
  public void passStubbornly() {
    SignalBoard.current().arrive(id);
    while (true) {
      try {
        if (SignalBoard.current().awaitOpen(id, PATIENCE)) {
          return;
        }
      } catch (InterruptedException stubborn) {
        continue;
      }
      throw new AssertionError("Nobody opened the gate " + id);
    }
  }

  /** Lets everybody through, from now on. */
  public void open() {
    SignalBoard.current().open(id);
  }

  /** Returns how many have arrived so far. */
  public int arrivals() {
    return SignalBoard.current().arrivals(id);
  }

  /**
   * Waits until that many have arrived.
   *
   * @throws AssertionError when fewer have arrived after 30 seconds
   */
  public void awaitArrivals(int count) {
    Await.until(
        count + " arrivals at the gate",
        ARRIVAL,
        () -> arrivals() >= count,
        () -> "There were " + arrivals() + ".");
  }
}
