package io.aktis.runtime.session;

import io.aktis.core.owner.Outcome;
import io.aktis.spi.Work;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Work of a session's executor where tasks run in other processes: code that cannot travel runs in
 * the process that gave it, as many pieces at a time as there are cores. Thread-safe.
 */
final class LocalTasks {
  private final Kernel kernel;
  private final Map<Cell, Thread> running = new ConcurrentHashMap<>();
  private final Semaphore cpus = new Semaphore(Runtime.getRuntime().availableProcessors());

  LocalTasks(Kernel kernel) {
    this.kernel = kernel;
  }

  /** Starts work; its cell is settled when it has ended, whichever way. */
  Cell start(Work work) {
    Cell cell = Cell.of(kernel.nextId().result(0));
    kernel.crew().executeVirtual(() -> run(cell, work));
    return cell;
  }

  private void run(Cell cell, Work work) {
    running.put(cell, Thread.currentThread());
    try {
      cpus.acquire();
      try {
        work.function().invoke(work.args());
      } finally {
        cpus.release();
      }
    } catch (Throwable thrown) {
      Log.LOG.debug("Work of an executor has thrown.", thrown); // its future has it
    } finally {
      running.remove(cell);
      cell.settle(new Outcome.Inline(SharedValue.NULL, List.of()));
      VarHandle.fullFence();
      cell.tell();
    }
  }

  /** Lets others work while the work that this thread runs waits, if it runs some. */
  <T extends @Nullable Object> T lending(Waits.BlockingCall<T> wait) throws InterruptedException {
    if (!running.containsValue(Thread.currentThread())) {
      return wait.call();
    }
    cpus.release();
    try {
      return wait.call();
    } finally {
      cpus.acquireUninterruptibly();
    }
  }

  /** Interrupts work that runs here; tells whether it does. */
  boolean interrupt(Cell cell) {
    Thread thread = running.get(cell);
    if (thread == null) {
      return false;
    }
    thread.interrupt();
    return true;
  }
}
