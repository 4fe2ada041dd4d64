package io.aktis.runtime.session;

import io.aktis.core.owner.TaskKind;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Holds callers back who submit faster than work is done: beyond the number of tasks that may be
 * pending, and also a little before that, when the loop has not yet seen what they have submitted.
 * The second keeps reports of finished work from waiting behind a flood of new work, while the
 * workers run dry.
 *
 * <p>Callers come on any thread; the rest is for the loop, which makes room in large portions so
 * that a caller who waits is not woken for each.
 */
final class Admission {
  private static final int MAX_UNSEEN = 4096;

  private final long maxPending;
  private final int maxUnseen;
  private final Semaphore room;

  /** Admitted and not done, as far as the loop has seen. */
  private long pending;

  /** Room that was made and is free, or taken by work that the loop has not seen. */
  private long unseen;

  Admission(int maxPending) {
    this.maxPending = maxPending;
    this.maxUnseen = Math.min(maxPending, MAX_UNSEEN);
    this.unseen = maxUnseen;
    this.room = new Semaphore(maxUnseen);
  }

  /** Actors may be made at any time: they are few, and others may wait for them. */
  static boolean isHeldBack(TaskKind kind) {
    return kind != TaskKind.CREATION;
  }

  /** Takes room for one task if there is some. */
  boolean tryEnter() {
    return room.tryAcquire();
  }

  /** Takes room for one task if there is some within {@code timeoutMs}. */
  boolean tryEnter(long timeoutMs) throws InterruptedException {
    return room.tryAcquire(timeoutMs, TimeUnit.MILLISECONDS);
  }

  /** Waits for room for one task. */
  void enter() throws InterruptedException {
    room.acquire();
  }

  /** The loop has seen one more piece of work. */
  void seen(TaskKind kind) {
    if (isHeldBack(kind)) {
      unseen--;
      pending++;
    }
  }

  /** One more piece of work is pending that did not take room. */
  void entered(TaskKind kind) {
    if (isHeldBack(kind)) {
      pending++;
    }
  }

  /** One more piece of work is done. */
  void done(TaskKind kind) {
    if (isHeldBack(kind)) {
      pending--;
    }
  }

  /** Makes room, when it is worth the while. */
  void makeRoom() {
    long wanted = Math.min(maxUnseen, maxPending - pending);
    long missing = wanted - unseen;
    if (missing > 0 && (missing * 2 >= wanted || unseen == 0)) {
      unseen += missing;
      room.release((int) missing);
    }
  }
}
