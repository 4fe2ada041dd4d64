package io.aktis.runtime.embedded;

import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where threads wait for the outcome of one object. References hold it; when none is left the
 * collector finds it, which is how lost references are noticed.
 *
 * <p>Thread-safe. The loop settles it; the order of writes is: outcome, then the waiters are taken.
 * A waiter that comes in between sees the outcome and runs itself.
 */
final class Cell implements BooleanSupplier {
  private static final VarHandle WAITERS;

  static {
    try {
      WAITERS = MethodHandles.lookup().findVarHandle(Cell.class, "waiters", Waiter.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable OwnedObject object;
  private volatile @Nullable Outcome outcome;
  private volatile @Nullable Waiter waiters;

  /** Joins the two halves of an object; before either is seen by another thread. */
  void object(OwnedObject owned) {
    object = owned;
  }

  OwnedObject object() {
    OwnedObject owned = object;
    if (owned == null) {
      throw new IllegalStateException("a cell is used before it has its object");
    }
    return owned;
  }

  @Nullable Outcome outcome() {
    return outcome;
  }

  /** Sets the outcome and wakes whoever waits. On the loop. */
  void settle(Outcome settled) {
    outcome = settled;
    if (waiters != null) { // who comes from now on sees the outcome
      fire();
    }
  }

  /** Takes the outcome away: it is being made again. On the loop. */
  void unsettle() {
    outcome = null;
  }

  private void fire() {
    Waiter waiter = (Waiter) WAITERS.getAndSet(this, null);
    while (waiter != null) {
      Waiter next = waiter.next;
      waiter.fire(this);
      waiter = next;
    }
  }

  /** Runs {@code waiter} once the outcome is there: now, or on the loop. */
  void whenSettled(Waiter waiter) {
    Waiter head;
    do {
      head = waiters;
      while (head != null && head.action == null) {
        head = head.next; // those that were cancelled are dropped here
      }
      waiter.next = head;
    } while (!pushOver(head, waiter));
    if (outcome != null) {
      fire();
    }
  }

  private boolean pushOver(@Nullable Waiter live, Waiter waiter) {
    Waiter head = waiters;
    Waiter skipped = head;
    while (skipped != live && skipped != null && skipped.action == null) {
      skipped = skipped.next;
    }
    return skipped == live && WAITERS.compareAndSet(this, head, waiter);
  }

  /** Tells whether the outcome is there. */
  @Override
  public boolean getAsBoolean() {
    return outcome != null;
  }

  /**
   * Waits for the outcome.
   *
   * @param deadlineNanos on the clock of {@link System#nanoTime}, {@link Long#MAX_VALUE} for none
   * @return whether it is there
   */
  boolean await(long deadlineNanos) throws InterruptedException {
    if (outcome != null) {
      return true;
    }
    Thread thread = Thread.currentThread();
    Waiter waiter = new Waiter(cell -> LockSupport.unpark(thread));
    whenSettled(waiter);
    try {
      while (outcome == null) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        if (deadlineNanos == Long.MAX_VALUE) {
          LockSupport.park(this);
        } else {
          long left = deadlineNanos - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          LockSupport.parkNanos(this, left);
        }
      }
      return true;
    } finally {
      waiter.cancel();
    }
  }

  /** Hears that a cell has its outcome. */
  interface Settled {
    /** Called on the loop, or on the thread that began to wait: must be short and not throw. */
    void settled(Cell cell);
  }

  /** What hears of the outcome; once, unless cancelled. */
  static final class Waiter {
    private volatile @Nullable Settled action;
    private @Nullable Waiter next;

    Waiter(Settled action) {
      this.action = action;
    }

    void cancel() {
      action = null;
    }

    private void fire(Cell cell) {
      Settled run = action;
      action = null;
      if (run != null) {
        run.settled(cell);
      }
    }
  }
}
