package io.aktis.runtime.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
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
 * <p>The inbox takes what it is given; what bounds it is that callers who submit work are held back
 * by the number of tasks that are not done.
 *
 * <p>Thread-safe.
 *
 * @param <E> the events
 */
public final class Loop<E> {
  private static final int IDLE = 0;
  private static final int SCHEDULED = 1;
  private static final int RUNNING = 2;
  private static final int BATCH = 256;
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
  private final Consumer<? super E> handler;
  private final MpscUnboundedArrayQueue<E> inbox = new MpscUnboundedArrayQueue<>(INBOX_CHUNK);
  private final Runnable runScheduled = this::runScheduled;
  private final Runnable drain = this::drain;

  @SuppressWarnings("UnusedVariable") // through STATE
  private volatile int state = IDLE;

  /**
   * Makes a loop.
   *
   * @param crew whose threads run it
   * @param handler handles an event; must not throw
   */
  public Loop(Crew crew, Consumer<? super E> handler) {
    this.crew = crew;
    this.handler = handler;
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
   */
  public void postAndRun(E event) {
    inbox.offer(event);
    if (state == IDLE && STATE.compareAndSet(this, IDLE, RUNNING)) {
      drain();
    }
  }

  private void runScheduled() {
    state = RUNNING;
    crew.keepFirst(drain);
  }

  private void drain() {
    do {
      for (int handled = 0; handled < BATCH; handled++) {
        E event = inbox.poll();
        if (event == null) {
          break;
        }
        handler.accept(event);
      }
      if (!inbox.isEmpty()) {
        state = SCHEDULED; // let this thread run what was handed to it
        crew.execute(runScheduled);
        return;
      }
      state = IDLE;
    } while (!inbox.isEmpty() && STATE.compareAndSet(this, IDLE, RUNNING));
  }
}
