package io.aktis.cluster.node;

import io.aktis.wire.message.LogLines;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lines that workers of one owner have printed, on their way to it. When the owner takes them too
 * slowly they are dropped, counted, and the owner is told how many: neither the node's memory nor
 * the worker pays for a slow reader. Thread-safe.
 */
final class LogRelay {
  static final int MAX_LINES = 10_000;
  private static final int MAX_BATCH = 256;

  /** Called when there are lines and nobody has been called since the last batch. */
  private final Runnable wake;

  private final ArrayDeque<Line> lines = new ArrayDeque<>();
  private boolean awake;
  private long droppedCount;

  /** One line. */
  record Line(String workerId, long pid, boolean error, String text) {
    boolean isFromWhere(Line other) {
      return pid == other.pid && error == other.error && workerId.equals(other.workerId);
    }
  }

  LogRelay(Runnable wake) {
    this.wake = wake;
  }

  void add(Line line) {
    boolean first;
    synchronized (this) {
      if (lines.size() >= MAX_LINES) {
        droppedCount++;
        return;
      }
      lines.add(line);
      first = !awake;
      awake = true;
    }
    if (first) {
      wake.run();
    }
  }

  /** Takes the next lines of one stream of one worker; null when there are none. */
  synchronized @Nullable LogLines poll() {
    Line first = lines.peek();
    if (first == null) {
      awake = false;
      return null;
    }
    List<String> batch = new ArrayList<>();
    Line next = first;
    while (next != null && next.isFromWhere(first) && batch.size() < MAX_BATCH) {
      batch.add(next.text());
      lines.remove();
      next = lines.peek();
    }
    if (lines.isEmpty() && droppedCount > 0) {
      batch.add("[" + droppedCount + " more lines were printed faster than the driver takes them]");
      droppedCount = 0;
    }
    return LogLines.newBuilder()
        .setWorkerId(first.workerId())
        .setPid(first.pid())
        .setError(first.error())
        .addAllLines(batch)
        .build();
  }
}
