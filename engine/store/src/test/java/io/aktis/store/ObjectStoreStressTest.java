package io.aktis.store;

import static io.aktis.store.Stores.MIB;
import static io.aktis.store.Stores.id;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Threads that put, read and delete at random in a store too small for them. Each object holds one
 * number in all its words, different for each object and derived from its name, so a reader notices
 * a byte that is not of its object.
 */
final class ObjectStoreStressTest {
  private static final int WORKERS = 6;
  private static final int ROUNDS = 2_000;
  private static final int MAX_WORDS = 64 * 1024;

  @RegisterExtension final Stores stores = new Stores();

  @Test
  void store_underManyThreads_keepsEveryByte() throws Exception {
    ObjectStore store = stores.open(4 * MIB);
    List<Future<Integer>> workers = new ArrayList<>();
    for (int w = 0; w < WORKERS; w++) {
      int worker = w;
      workers.add(Stores.start(() -> work(store, worker)));
    }
    int read = 0;
    for (Future<Integer> worker : workers) {
      read += Stores.result(worker);
    }
    assertThat(read).as("objects read").isPositive();
    Await.untilCollected(() -> store.stats().usedBytes() == 0, store::stats);
    assertThat(store.stats().largestFreeBytes()).isEqualTo(4 * MIB);
    assertThat(store.stats().waitingCreates()).isZero();
  }

  /** Returns how many objects were read. */
  private static int work(ObjectStore store, int worker) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(worker);
    ArrayDeque<Integer> mine = new ArrayDeque<>();
    int read = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int number = round * WORKERS + worker;
      if (put(store, number, 1 + random.nextInt(MAX_WORDS) / (1 + random.nextInt(100)))) {
        mine.add(number);
      } else if (!mine.isEmpty()) {
        store.delete(id(mine.remove()));
      }
      read += read(store, random.nextInt(number + 1), random) ? 1 : 0;
      if (mine.size() > 4) {
        store.delete(id(mine.remove()));
      }
    }
    mine.forEach(number -> store.delete(id(number)));
    return read;
  }

  private static boolean put(ObjectStore store, int number, int words) throws InterruptedException {
    try (Creation creation = store.create(id(number), words * 8L, System.nanoTime() + 1_000_000)) {
      MemorySegment segment = creation.segment();
      for (int i = 0; i < words; i++) {
        segment.setAtIndex(JAVA_LONG, i, number);
      }
      return number % 7 != 0 && creation.seal();
    } catch (StoreFullException e) {
      return false;
    }
  }

  /** Reads one of the youngest objects. */
  private static boolean read(ObjectStore store, int youngest, SplittableRandom random) {
    for (int number = youngest; number > youngest - 20 && number >= 0; number--) {
      if (random.nextInt(10) == 0) {
        MemorySegment view = store.view(id(number));
        if (view != null) {
          check(view, number);
          return true;
        }
      } else {
        try (Pin pin = store.pin(id(number))) {
          if (pin != null) {
            check(pin.segment(), number);
            return true;
          }
        }
      }
    }
    return false;
  }

  private static void check(MemorySegment segment, int number) {
    long words = segment.byteSize() / 8;
    for (long i = 0; i < words; i++) {
      long word = segment.getAtIndex(JAVA_LONG, i);
      if (word != number) {
        throw new AssertionError("word " + i + " of object " + number + " is " + word);
      }
    }
  }
}
