package io.aktis.simulation;

import java.util.PriorityQueue;

/**
 * What is to happen, and when: the clock of the simulation. Events of one time keep their order.
 */
final class Agenda {
  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private long nowMs;
  private long count;

  private record Entry(long atMs, long number, Runnable action) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      return atMs != other.atMs
          ? Long.compare(atMs, other.atMs)
          : Long.compare(number, other.number);
    }
  }

  long nowMs() {
    return nowMs;
  }

  /** Returns how many events have happened. */
  long happened() {
    return count - entries.size();
  }

  void at(long timeMs, Runnable action) {
    entries.add(new Entry(Math.max(timeMs, nowMs), count++, action));
  }

  void after(long delayMs, Runnable action) {
    at(nowMs + delayMs, action);
  }

  /** Moves the clock to the next event before {@code endMs} and lets it happen; false without. */
  boolean step(long endMs) {
    Entry next = entries.peek();
    if (next == null || next.atMs > endMs) {
      nowMs = Math.max(nowMs, endMs);
      return false;
    }
    entries.remove();
    nowMs = next.atMs;
    next.action.run();
    return true;
  }
}
