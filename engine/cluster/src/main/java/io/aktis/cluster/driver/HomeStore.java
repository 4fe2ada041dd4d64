package io.aktis.cluster.driver;

import io.aktis.core.id.ObjectId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store that a driver uses: that of one node, its home. When that node is gone another one
 * takes its place, and what is asked of the store is asked again there. Thread-safe.
 */
final class HomeStore implements StorePort, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HomeStore.class);

  /** The store of a node breaks off a little before or after the driver hears of the node. */
  private static final long CHANGE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private volatile Home home;

  /** The store of one node. */
  record Home(Location at, StorePort store, @Nullable AutoCloseable toClose) {}

  HomeStore(Home first) {
    this.home = first;
  }

  Location at() {
    return home.at();
  }

  /** Returns the store of a node that is the home, or was it a moment ago. */
  StorePort storeAt(Location at) {
    Home now = home;
    if (!now.at().equals(at)) {
      throw new IllegalStateException("the node at " + at.address() + " is gone");
    }
    return now.store();
  }

  /** Puts another node in the place of one that is gone. */
  void moveTo(Home next) {
    Home before;
    lock.lock();
    try {
      before = home;
      home = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    close(before);
  }

  @Override
  public @Nullable Writing tryCreate(ObjectId id, long sizeBytes) {
    return ask(store -> store.tryCreate(id, sizeBytes));
  }

  @Override
  public Writing create(ObjectId id, long sizeBytes) throws InterruptedException {
    while (true) {
      Home used = home;
      try {
        return used.store().create(id, sizeBytes);
      } catch (IllegalStateException e) {
        if (!awaitOther(used)) {
          throw e;
        }
      }
    }
  }

  @Override
  public @Nullable Reading pin(ObjectId id, Location at) {
    return ask(store -> store.pin(id, at));
  }

  @Override
  public @Nullable MemorySegment view(ObjectId id, Location at) {
    return ask(store -> store.view(id, at));
  }

  private <T extends @Nullable Object> T ask(Function<StorePort, T> question) {
    while (true) {
      Home used = home;
      try {
        return question.apply(used.store());
      } catch (IllegalStateException e) {
        if (!awaitOther(used)) {
          throw e;
        }
      }
    }
  }

  /** A home has failed: waits for another one, which is there in a moment if this one is gone. */
  @SuppressWarnings("ReferenceEquality") // the same home, not an equal one
  private boolean awaitOther(Home failed) {
    long leftNanos = CHANGE_TIMEOUT_NANOS;
    lock.lock();
    try {
      while (home == failed && leftNanos > 0) {
        leftNanos = changed.awaitNanos(leftNanos);
      }
      return home != failed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    close(home);
  }

  private static void close(Home home) {
    AutoCloseable toClose = home.toClose();
    if (toClose != null) {
      try {
        toClose.close();
      } catch (Exception e) {
        LOG.warn("The store at {} is not closed well.", home.at(), e);
      }
    }
  }
}
