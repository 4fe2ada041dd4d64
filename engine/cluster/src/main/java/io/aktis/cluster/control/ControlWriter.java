package io.aktis.cluster.control;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a head has to keep while it is the head, on a thread of its own, so that nobody has
 * to wait for the store. Thread-safe; its methods return at once, but for {@link #close}.
 */
public final class ControlWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlWriter.class);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often a head asks whether it still is one, when it has nothing to write. */
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private static final long CLOSE_MS = 8_000;

  private final ControlStore store;
  private final long epoch;
  private final Runnable onFenced;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();

  // Guarded by the lock.
  private final Map<Slot, Value> kept = new LinkedHashMap<>();
  private final Deque<Try> tries = new ArrayDeque<>();
  private long retryAtNanos = System.nanoTime();
  private boolean closing;
  private boolean over;

  /** Belongs to the thread. */
  private boolean failing;

  private record Slot(String table, String key) {}

  private record Value(@Nullable ByteString bytes) {}

  private record Try(ControlBatch batch, Consumer<String> done) {}

  /**
   * Begins to write for a head.
   *
   * @param epoch that of the head
   * @param onFenced called once, on the thread of the writer, when the store belongs to another
   *     head; nothing is written after that
   */
  public ControlWriter(ControlStore store, long epoch, Runnable onFenced) {
    this.store = store;
    this.epoch = epoch;
    this.onFenced = onFenced;
    this.thread = Thread.ofPlatform().name("aktis-control").daemon().start(this::run);
  }

  /**
   * Has changes made, also if the store does not work for a while: then it is tried again, with the
   * last value of each key.
   */
  public void keep(ControlBatch batch) {
    lock.lock();
    try {
      for (ControlBatch.Change change : batch.changes()) {
        Slot slot = new Slot(change.table(), change.key());
        kept.remove(slot); // so that the order is that of the last changes
        kept.put(slot, new Value(change.value()));
      }
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has changes made once, in the order of the calls.
   *
   * @param done hears, on the thread of the writer, why that was not possible, in words; an empty
   *     text when it was done. After words the changes may have been made all the same.
   */
  public void tryWrite(ControlBatch batch, Consumer<String> done) {
    lock.lock();
    try {
      if (!over && !closing) {
        tries.add(new Try(batch, done));
        news.signal();
        return;
      }
    } finally {
      lock.unlock();
    }
    done.accept("this node is not the head any more");
  }

  private void run() {
    try {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody does that
    } finally {
      end();
    }
  }

  /** Does what there is to do; returns false when nothing follows. */
  private boolean step() throws InterruptedException {
    Try next;
    Map<Slot, Value> batch = Map.of();
    boolean isLast;
    lock.lock();
    try {
      awaitWork();
      next = tries.poll();
      if (next == null) {
        batch = new LinkedHashMap<>(kept);
        kept.clear();
      }
      isLast = closing && tries.isEmpty() && next == null;
    } finally {
      lock.unlock();
    }
    try {
      if (next != null) {
        attempt(next);
      } else if (!batch.isEmpty()) {
        write(batch);
      } else if (store.isShared() && store.epoch() != epoch) {
        throw new FencedException(epoch, store.epoch());
      }
    } catch (FencedException e) {
      LOG.error("this node is not the head any more: {}", e.getMessage());
      onFenced.run();
      return false;
    } catch (IOException e) {
      failed(e);
    }
    return !isLast;
  }

  /** Waits for work; also returns when it is time to see whether the store is another's. */
  private void awaitWork() throws InterruptedException {
    long checkAtNanos = System.nanoTime() + CHECK_NANOS;
    while (!closing && tries.isEmpty()) {
      long nowNanos = System.nanoTime();
      boolean mayWrite = !kept.isEmpty() && nowNanos - retryAtNanos >= 0;
      long waitNanos = checkAtNanos - nowNanos;
      if (mayWrite || waitNanos <= 0) {
        return;
      }
      long untilRetry = kept.isEmpty() ? waitNanos : retryAtNanos - nowNanos;
      long _ = news.awaitNanos(Math.min(waitNanos, untilRetry));
    }
  }

  private void attempt(Try next) throws FencedException {
    String problem = "";
    try {
      store.write(epoch, next.batch());
      worked();
    } catch (FencedException e) {
      next.done().accept(String.valueOf(e.getMessage()));
      throw e;
    } catch (IOException e) {
      problem = String.valueOf(e.getMessage());
      failed(e);
    }
    next.done().accept(problem);
  }

  private void write(Map<Slot, Value> values) throws IOException {
    ControlBatch batch = new ControlBatch();
    values.forEach((slot, value) -> {
      if (value.bytes() == null) {
        batch.delete(slot.table(), slot.key());
      } else {
        batch.put(slot.table(), slot.key(), value.bytes());
      }
    });
    try {
      store.write(epoch, batch);
      worked();
    } catch (IOException e) {
      putBack(values);
      throw e;
    }
  }

  /** What came meanwhile is newer. */
  private void putBack(Map<Slot, Value> values) {
    lock.lock();
    try {
      values.forEach(kept::putIfAbsent);
      retryAtNanos = System.nanoTime() + RETRY_NANOS;
    } finally {
      lock.unlock();
    }
  }

  private void failed(IOException e) {
    if (!failing) {
      failing = true;
      LOG.warn("{}; what has to be kept is written when it works again", e.getMessage());
    }
  }

  private void worked() {
    if (failing) {
      failing = false;
      LOG.info("the control store {} works again", store);
    }
  }

  private void end() {
    List<Try> left;
    int lost;
    lock.lock();
    try {
      over = true;
      left = new ArrayList<>(tries);
      tries.clear();
      lost = kept.size();
    } finally {
      lock.unlock();
    }
    left.forEach(each -> each.done().accept("this node is not the head any more"));
    if (lost > 0) {
      LOG.warn("{} changes are not in the control store {}", lost, store);
    }
  }

  /**
   * Writes what there is, as far as the store works, and ends the thread; waits for that, some
   * seconds at most. Idempotent.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      news.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
