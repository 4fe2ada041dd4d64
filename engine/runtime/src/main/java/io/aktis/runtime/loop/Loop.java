package io.aktis.runtime.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * Handles events one at a time, in the order they came, on one crew thread after the other:
 * whatever its handler touches is confined to the loop as if a single thread owned it.
 *
 * <p>There is no thread that only does this. When an event comes and the loop is idle, a crew
 * thread is asked to run it; a crew thread that has just finished a task and reports that runs the
 * loop itself if nobody else does ({@link #postAndRun}). So a task that is submitted, run and
 * awaited costs two changes of threads and not four. Callers never run it: their stack may be deep.
 *
 * <p>Events are handled in batches, and threads are woken at the end of a batch, not in it: who is
 * woken often gets the core of who wakes, and would find the first of many things to do.
 *
 * <p>After events that could change nothing, such as work that has to wait for workers which are
 * all busy, the loop rests a moment: otherwise a caller who submits much would wake a thread for
 * each piece of it. Whoever reports something ends the rest.
 *
 * <p>The inbox takes what it is given; what bounds it is that callers who submit work are held back
 * by the number of tasks that are not done.
 *
 * <p>Thread-safe.
 *
 * @param <E> the events
 */
public final class Loop<E> {
  /** Hosts what the loop confines. Called on the loop, must not throw. */
  public interface Host<E> {
    /** Handles an event. */
    void handle(E event);

    /**
     * Carries out what was put off to the end of the batch.
     *
     * @return whether the loop may rest: nothing that was handled is urgent for anybody
     */
    boolean endBatch();
  }

  private static final int IDLE = 0;
  private static final int SCHEDULED = 1;
  private static final int RUNNING = 2;
  private static final int RESTING = 3;

  private static final int BATCH = 64;
  private static final int BATCHES_IN_A_ROW = 8;
  private static final long REST_NANOS = 50_000;
  private static final int INBOX_CHUNK = 1024;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Loop.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Crew crew;
  private final Host<? super E> host;
  private final MpscUnboundedArrayQueue<E> inbox = new MpscUnboundedArrayQueue<>(INBOX_CHUNK);
  private final Runnable runScheduled = this::runScheduled;
  private final Runnable drainAndRest = this::drainAndRest;

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile int state = IDLE;

  /**
   * Makes a loop.
   *
   * @param crew whose threads run it
   * @param host handles the events
   */
  public Loop(Crew crew, Host<? super E> host) {
    this.crew = crew;
    this.host = host;
  }

  /** Takes an event; a crew thread will handle it. */
  public void post(E event) {
    inbox.offer(event);
    if (state == IDLE && STATE.compareAndSet(this, IDLE, SCHEDULED)) {
      crew.execute(runScheduled);
    }
  }

  /**
   * Takes an event and handles it on this thread, with whatever else there is, unless another
   * thread is at it. For crew threads outside of user code.
   *
   * @return whether this thread has run the loop
   */
  public boolean postAndRun(E event) {
    inbox.offer(event);
    if (takeOver(IDLE) || takeOver(RESTING)) {
      drain(false);
      return true;
    }
    return false;
  }

  private boolean takeOver(int from) {
    return state == from && STATE.compareAndSet(this, from, RUNNING);
  }

  private void runScheduled() {
    state = RUNNING;
    crew.keepFirst(drainAndRest);
  }

  private void drainAndRest() {
    while (drain(true)) {
      LockSupport.parkNanos(this, REST_NANOS);
      if (!takeOver(RESTING)) {
        return; // a thread that had something to report has taken over
      }
    }
  }

  /**
   * Handles what there is.
   *
   * @param mayRest whether this thread has nothing else to do
   * @return whether the loop rests now, and this thread is to end that
   */
  private boolean drain(boolean mayRest) {
    boolean calm = mayRest;
    boolean handled = false;
    for (int batches = 1; ; batches++) {
      handled |= handleBatch();
      calm &= host.endBatch();
      if (inbox.isEmpty()) {
        boolean rest = calm && handled;
        state = rest ? RESTING : IDLE;
        if (inbox.isEmpty()) {
          return rest;
        }
        if (!takeOver(rest ? RESTING : IDLE)) {
          return false;
        }
      } else if (!calm && batches >= BATCHES_IN_A_ROW) {
        state = SCHEDULED; // let this thread run what was handed to it
        crew.execute(runScheduled);
        return false;
      }
    }
  }

  private boolean handleBatch() {
    for (int handled = 0; handled < BATCH; handled++) {
      E event = inbox.poll();
      if (event == null) {
        return handled > 0;
      }
      host.handle(event);
    }
    return true;
  }
}
