package io.aktis.runtime.session;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * How often a worker holds one object, as it has told the owner. Changed and told under its
 * monitor, so that the owner hears of the changes in their order.
 */
final class Holding {
  private final WeakReference<Cell> cell;

  /** Guarded by the monitor. */
  int count;

  /** The object is the first result of a task that counts as pending until it is there. */
  private boolean pendingTask;

  Holding(Cell cell) {
    this.cell = new WeakReference<>(cell);
  }

  /** Returns the cell, {@code null} when nobody holds it any more. */
  @Nullable Cell cell() {
    return cell.get();
  }

  synchronized void countsAsPending() {
    pendingTask = true;
  }

  /** Tells, once, whether a task counted as pending until now. */
  synchronized boolean isDone() {
    boolean was = pendingTask;
    pendingTask = false;
    return was;
  }
}
