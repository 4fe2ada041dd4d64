package io.aktis.simulation;

import java.util.ArrayDeque;
import java.util.List;

/**
 * The last events, for whoever has to understand a violation. Lines are made when they are read.
 */
final class History {
  private static final int KEPT = Integer.getInteger("aktis.history", 400);

  private final ArrayDeque<Line> lines = new ArrayDeque<>();
  private long fingerprint = 17;

  @SuppressWarnings("ArrayRecordComponent") // written once, read to be printed
  private record Line(long atMs, Object where, String what, Object[] about) {
    @Override
    public String toString() {
      StringBuilder out = new StringBuilder();
      out.append(atMs).append(' ').append(where).append(' ').append(what);
      for (Object each : about) {
        out.append(' ').append(each);
      }
      return out.toString();
    }
  }

  /** Notes an event; what it is about must not change later. */
  void note(long atMs, Object where, String what, Object... about) {
    if (lines.size() == KEPT) {
      lines.removeFirst();
    }
    lines.add(new Line(atMs, where, what, about));
    fingerprint = 31 * fingerprint + atMs;
    fingerprint = 31 * fingerprint + what.hashCode();
  }

  /** Returns a number that follows from all events: the same for the same run. */
  long fingerprint() {
    return fingerprint;
  }

  List<String> lines() {
    return lines.stream().map(Line::toString).toList();
  }
}
