package io.aktis.runtime.loop;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a session: runs whatever it is given, at once, on a thread that is idle or new.
 * How much runs at a time is the business of the lease ledgers, not of this class.
 *
 * <p><b>Platform threads first.</b> User code may compute for hours, and only the operating system
 * shares the cores among threads that never wait. So work runs on platform threads, which are kept
 * for a while and used again, the one that became idle last first.
 *
 * <p><b>Virtual threads beyond a limit.</b> Tasks that wait for other tasks hold their thread but
 * no CPU, and there may be a hundred thousand of them. Beyond the limit of platform threads work
 * gets a virtual thread of its own.
 *
 * <p><b>Hand-off.</b> A thread that becomes idle looks for work for some microseconds before it
 * sleeps, for waking a thread costs more than that; one thread at a time does so. A loop that hands
 * out work while it runs on a crew thread keeps the first piece for that thread: the thread runs it
 * as soon as the loop is done, without any hand-off.
 *
 * <p>Thread-safe. All threads are daemons and have names that start with that of the crew.
 */
public final class Crew {
  private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String name;
  private final int platformLimit;
  private final @Nullable ClassLoader loader;
  private final ArrayDeque<Member> idle = new ArrayDeque<>();
  private final Set<Thread> virtualThreads = new HashSet<>();
  private final SpinBudget spinBudget = new SpinBudget();

  /** The idle thread that looks for work, if one does. Set under the lock of {@link #idle}. */
  private volatile @Nullable Member spinner;

  private int platformThreads;
  private long started;
  private boolean closed;

  /**
   * Makes a crew without threads.
   *
   * @param name first part of the names of its threads
   * @param platformLimit how many platform threads there may be
   * @param loader context class loader of its threads
   */
  public Crew(String name, int platformLimit, @Nullable ClassLoader loader) {
    this.name = name;
    this.loader = loader;
    this.platformLimit = platformLimit;
  }

  /** Runs {@code work} soon. Never waits. Work must not throw; what it throws ends its thread. */
  public void execute(Runnable work) {
    Thread current = Thread.currentThread();
    if (current instanceof CrewThread mine && mine.member.keep(work)) {
      return;
    }
    Member member = takeIdle();
    if (member != null) {
      member.give(work);
    } else {
      start(work);
    }
  }

  /** Runs {@code work} on a virtual thread of its own: for work that mostly waits. */
  public void executeVirtual(Runnable work) {
    Thread thread;
    synchronized (idle) {
      started++;
      thread = Thread.ofVirtual().name(name + "-v" + started).unstarted(() -> runVirtual(work));
      thread.setContextClassLoader(loader);
      virtualThreads.add(thread);
    }
    thread.start();
  }

  private @Nullable Member takeIdle() {
    synchronized (idle) {
      Member looking = spinner;
      if (looking != null) {
        spinner = null;
        idle.remove(looking);
        return looking;
      }
      return idle.pollFirst();
    }
  }

  private void start(Runnable work) {
    Thread thread = null;
    synchronized (idle) {
      if (platformThreads < platformLimit) {
        started++;
        platformThreads++;
        thread = new CrewThread(new Member(work), name + "-" + started);
        thread.setContextClassLoader(loader);
      }
    }
    if (thread == null) {
      executeVirtual(work);
    } else {
      thread.start();
    }
  }

  private void runVirtual(Runnable work) {
    try {
      work.run();
    } finally {
      synchronized (idle) {
        virtualThreads.remove(Thread.currentThread());
        idle.notifyAll();
      }
    }
  }

  /**
   * Runs {@code loop} on this thread; of the work that it hands out the first piece is kept for
   * this thread, which runs it afterwards, if it is one of this crew.
   */
  void keepFirst(Runnable loop) {
    if (Thread.currentThread() instanceof CrewThread mine && mine.member.crew() == this) {
      mine.member.keeping = true;
      try {
        loop.run();
      } finally {
        mine.member.keeping = false;
      }
    } else {
      loop.run();
    }
  }

  /** Lets idle threads end, and the others when they become idle. Work may still be given. */
  public void close() {
    synchronized (idle) {
      closed = true;
      spinner = null;
      Member member = idle.pollFirst();
      while (member != null) {
        member.give(new End());
        member = idle.pollFirst();
      }
    }
  }

  /**
   * Waits until all threads have ended, after {@link #close}.
   *
   * @return whether they have
   */
  public boolean awaitEnd(long timeoutMs) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    synchronized (idle) {
      while (platformThreads > 0 || !virtualThreads.isEmpty()) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (leftMs <= 0) {
          return false;
        }
        idle.wait(leftMs);
      }
      return true;
    }
  }

  /** Returns how many threads there are, idle ones included. */
  public int threadCount() {
    synchronized (idle) {
      return platformThreads + virtualThreads.size();
    }
  }

  /** Tells an idle thread to end. */
  private static final class End implements Runnable {
    @Override
    public void run() {}
  }

  /** One platform thread's part: the work it runs, and its wait for more. Confined to it. */
  private final class Member implements BooleanSupplier {
    private volatile @Nullable Runnable handedOver;
    private volatile boolean parked;
    private @Nullable Runnable kept;
    private boolean keeping;
    private final Runnable first;
    private @Nullable Thread thread;

    Member(Runnable first) {
      this.first = first;
    }

    Crew crew() {
      return Crew.this;
    }

    boolean keep(Runnable work) {
      if (!keeping || kept != null) {
        return false;
      }
      kept = work;
      return true;
    }

    void give(Runnable work) {
      handedOver = work;
      if (parked) {
        LockSupport.unpark(thread);
      }
    }

    void live() {
      thread = Thread.currentThread();
      try {
        Runnable work = first;
        while (work != null) {
          work.run();
          work = next();
        }
      } finally {
        synchronized (idle) {
          platformThreads--;
          idle.notifyAll();
        }
      }
    }

    private @Nullable Runnable next() {
      Runnable work = kept;
      if (work != null) {
        kept = null;
        return work;
      }
      boolean looking;
      synchronized (idle) {
        if (closed) {
          return null;
        }
        idle.addFirst(this);
        looking = spinner == null;
        if (looking) {
          spinner = this;
        }
      }
      work = awaitWork(looking);
      return work instanceof End ? null : work;
    }

    private @Nullable Runnable awaitWork(boolean looking) {
      Runnable work = looking ? look() : null;
      if (work != null) {
        return work;
      }
      parked = true;
      long deadline = System.nanoTime() + KEEP_ALIVE_NANOS;
      while (work == null) {
        work = take();
        if (work == null) {
          long left = deadline - System.nanoTime();
          if (left <= 0 && leave()) {
            return null;
          }
          LockSupport.parkNanos(this, Math.max(left, 1_000_000));
        }
      }
      parked = false;
      return work;
    }

    private @Nullable Runnable look() {
      if (!spinBudget.look(this)) {
        synchronized (idle) {
          if (spinner == this) {
            spinner = null;
          }
        }
      }
      return take();
    }

    /** Tells whether work was handed over. */
    @Override
    public boolean getAsBoolean() {
      return handedOver != null;
    }

    private @Nullable Runnable take() {
      Runnable work = handedOver;
      if (work != null) {
        handedOver = null;
      }
      return work;
    }

    /** Leaves the idle threads; false when work is being handed over at this moment. */
    private boolean leave() {
      synchronized (idle) {
        return idle.remove(this);
      }
    }
  }

  /** A platform thread that knows its member. */
  private static final class CrewThread extends Thread {
    private final Member member;

    CrewThread(Member member, String name) {
      super(null, member::live, name, 0, false);
      this.member = member;
      setDaemon(true);
    }
  }
}
