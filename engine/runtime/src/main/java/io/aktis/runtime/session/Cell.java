package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
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
 * <p>Thread-safe. The loop settles it, and tells those who wait after a full fence, one for many
 * cells. A waiter that comes in between sees the outcome and runs itself.
 */
final class Cell implements BooleanSupplier {
  private static final VarHandle OUTCOME;
  private static final VarHandle WAITERS;

  static {
    try {
      OUTCOME = MethodHandles.lookup().findVarHandle(Cell.class, "outcome", Outcome.class);
      WAITERS = MethodHandles.lookup().findVarHandle(Cell.class, "waiters", Waiter.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable OwnedObject object;
  private volatile @Nullable Outcome outcome;
  private volatile @Nullable Waiter waiters;

  /** Makes the cell of an object that no task makes. */
  static Cell of(ObjectId id) {
    Cell cell = new Cell();
    cell.object(new OwnedObject(id, null, cell));
    return cell;
  }

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

  /** Sets the outcome; {@link #tell} is to follow, after a full fence. On the loop. */
  void settle(Outcome settled) {
    OUTCOME.setRelease(this, settled);
  }

  /** Wakes whoever waits, if the outcome is still there. On the loop. */
  void tell() {
    if (waiters != null && outcome != null) { // who comes from now on sees the outcome
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
    Waiter waiter = null;
    try {
      while (outcome == null) {
        if (waiter == null || waiter.isOver()) { // told, but the outcome was taken away again
          waiter = new Waiter(cell -> LockSupport.unpark(thread));
          whenSettled(waiter);
        } else if (Thread.interrupted()) {
          throw new InterruptedException();
        } else if (!Waits.park(this, deadlineNanos)) {
          return false;
        }
      }
      return true;
    } finally {
      if (waiter != null) {
        waiter.cancel();
      }
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

    boolean isOver() {
      return action == null;
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
