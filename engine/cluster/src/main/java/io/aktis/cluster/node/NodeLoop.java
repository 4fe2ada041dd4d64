package io.aktis.cluster.node;

import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thread that does one thing after another. What belongs to the loop needs no locks. An
 * exception out of a task means that the state may be wrong: the loop says so and does nothing
 * more.
 */
final class NodeLoop implements AutoCloseable {
  private final LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final Consumer<Throwable> failure;
  private final Thread thread;
  private final long startNanos = System.nanoTime();
  private Runnable afterEach = () -> {};
  private long lastTimer;
  private boolean running = true;
  private volatile boolean ended;

  /** What is to be done later; of two for one time the one that was set first comes first. */
  private record Timer(long atMs, long number, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(atMs, other.atMs);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /**
   * Makes a loop that does not run yet.
   *
   * @param failure hears, on the loop's thread, of an exception out of a task
   */
  NodeLoop(String name, Consumer<Throwable> failure) {
    this.failure = failure;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
  }

  /** Begins; {@code afterEach} is done after each task. */
  void start(Runnable afterEach) {
    this.afterEach = afterEach;
    thread.start();
  }

  /** Has a task done, in the order of posting. After the end it is dropped. Thread-safe. */
  void post(Runnable task) {
    if (!ended) {
      inbox.add(task);
    }
  }

  /** Has a task done later. To be called on the loop. */
  void schedule(long delayMs, Runnable task) {
    timers.add(new Timer(nowMs() + delayMs, ++lastTimer, task));
  }

  /** Returns the time since the loop was made; it never goes back. Thread-safe. */
  long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  private void run() {
    try {
      while (running) {
        Runnable task = next();
        if (task != null) {
          task.run();
          afterEach.run();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody but the end of the JVM interrupts it
    } catch (Throwable e) {
      ended = true;
      failure.accept(e);
    } finally {
      ended = true;
    }
  }

  /** Returns the next task; null when there is none yet and a timer may be due. */
  private @Nullable Runnable next() throws InterruptedException {
    Timer timer = timers.peek();
    if (timer == null) {
      return inbox.take();
    }
    long waitMs = timer.atMs - nowMs();
    if (waitMs <= 0) {
      timers.remove();
      return timer.task;
    }
    return inbox.poll(waitMs, TimeUnit.MILLISECONDS);
  }

  /** Ends the loop after the tasks that are there; waits for that unless called by the loop. */
  @Override
  public void close() {
    inbox.add(() -> running = false);
    if (Thread.currentThread() == thread || !thread.isAlive()) {
      ended = true;
      return;
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
