package io.aktis.cluster.driver;

import io.aktis.NodeDiedException;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StoreMovedException;
import io.aktis.runtime.port.StorePort;
import java.lang.foreign.MemorySegment;
import java.util.List;
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

  private final long changeTimeoutNanos;

  private volatile Home home;

  /** Why the home cannot be used; null when it can. */
  private volatile @Nullable String lost;

  /** The store of one node. */
  record Home(Location at, StorePort store, @Nullable AutoCloseable toClose) {}

  HomeStore(Home first) {
    this(first, CHANGE_TIMEOUT_NANOS);
  }

  HomeStore(Home first, long changeTimeoutNanos) {
    this.home = first;
    this.changeTimeoutNanos = changeTimeoutNanos;
  }

  Location at() {
    return home.at();
  }

  /**
   * Returns the store of a node that is the home, or was it a moment ago, to make something there.
   *
   * @throws StoreMovedException when another one is the home by now
   */
  StorePort storeAt(Location at) {
    Home now = home;
    if (!now.at().equals(at)) {
      throw new StoreMovedException(at, new IllegalStateException(at.address() + " is gone"));
    }
    return new OneHome(this, now);
  }

  /** The home is gone; what is asked waits for another one, but not for long. */
  void lose(String reason) {
    lost = reason;
  }

  boolean isLost() {
    return lost != null;
  }

  /** Puts another node in the place of one that is gone. */
  void moveTo(Home next) {
    Home before;
    lock.lock();
    try {
      before = home;
      home = next;
      lost = null;
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
        awaitOther(used, e);
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
        awaitOther(used, e);
      }
    }
  }

  /** One home and no other: what is made is either there, or to be made anew. */
  private record OneHome(HomeStore all, Home home) implements StorePort {
    @Override
    public @Nullable Writing tryCreate(ObjectId id, long sizeBytes) {
      try {
        Writing made = home.store().tryCreate(id, sizeBytes);
        return made == null ? null : new HomeWriting(this, made);
      } catch (IllegalStateException e) {
        throw failed(e);
      }
    }

    @Override
    public Writing create(ObjectId id, long sizeBytes) throws InterruptedException {
      try {
        return new HomeWriting(this, home.store().create(id, sizeBytes));
      } catch (IllegalStateException e) {
        throw failed(e);
      }
    }

    @Override
    public @Nullable Reading pin(ObjectId id, Location at) {
      return home.store().pin(id, at);
    }

    StoreMovedException failed(IllegalStateException failure) {
      all.awaitOther(home, failure);
      return new StoreMovedException(home.at(), failure);
    }
  }

  private record HomeWriting(OneHome at, Writing writing) implements Writing {
    @Override
    public MemorySegment segment() {
      return writing.segment();
    }

    @Override
    public void seal() {
      try {
        writing.seal();
      } catch (IllegalStateException e) {
        throw at.failed(e);
      }
    }

    @Override
    public void close() {
      writing.close();
    }
  }

  /**
   * A home has failed: waits for another one, which is there in a moment if this one is gone.
   *
   * @throws NodeDiedException when it is gone, and none takes its place
   */
  private void awaitOther(Home failed, IllegalStateException failure) {
    if (awaitOther(failed)) {
      return;
    }
    String reason = lost;
    throw reason == null
        ? failure
        : new NodeDiedException(
            "There is no node whose object store this program can use: " + reason + ".",
            failure,
            List.of());
  }

  @SuppressWarnings("ReferenceEquality") // the same home, not an equal one
  private boolean awaitOther(Home failed) {
    long leftNanos = changeTimeoutNanos;
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
