package io.aktis.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.store.StoreConfig;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What has come of an object, and who reads it while the rest comes. */
final class IncomingTest {
  private static final int SIZE = 100;

  private ObjectStore store;
  private Creation creation;
  private Incoming incoming;

  @BeforeEach
  void begin() throws InterruptedException {
    store = ObjectStore.open(StoreConfig.ofCapacity(1 << 20));
    creation = store.create(Daemon.id(1), SIZE);
    incoming = new Incoming(creation.segment(), creation::pin);
  }

  @AfterEach
  void nothingIsLeft() {
    creation.close();
    store.delete(Daemon.id(1));
    assertThat(store.stats().pinnedObjects()).isZero();
    assertThat(store.stats().usedBytes()).isZero();
    store.close();
  }

  private boolean canPin(Incoming comes, Piece piece) throws InterruptedException {
    try (Pin pin = comes.pin(piece, 0)) {
      return pin != null;
    }
  }

  @Test
  void parts_inAnyOrder_canBeReadAsSoonAsAllOfThemIsHere() throws Exception {
    for (long seed = 0; seed < 50; seed++) {
      Incoming comes = new Incoming(creation.segment(), creation::pin);
      List<Piece> pieces = new ArrayList<>();
      for (int at = 0; at < SIZE; at += 10) {
        pieces.add(new Piece(at, 10));
      }
      Collections.shuffle(pieces, new Random(seed));
      boolean[] here = new boolean[SIZE];
      for (Piece piece : pieces) {
        comes.arrived(piece);
        for (int i = 0; i < 10; i++) {
          here[(int) piece.offset() + i] = true;
        }
        for (int at = 0; at + 25 <= SIZE; at += 5) {
          boolean all = true;
          for (int i = at; i < at + 25; i++) {
            all &= here[i];
          }
          assertThat(canPin(comes, new Piece(at, 25)))
              .as("seed %d, at %d", seed, at)
              .isEqualTo(all);
        }
      }
      assertThat(comes.arrivedBytes()).isEqualTo(SIZE);
    }
  }

  private FutureTask<Boolean> pinning(Piece piece) {
    FutureTask<Boolean> waiting =
        new FutureTask<>(() -> {
          try (Pin pin = incoming.pin(piece, Incoming.FOR_EVER_NS)) {
            return pin != null;
          }
        });
    Thread waiter = Thread.ofPlatform().daemon().start(waiting);
    Daemon.await(
        () ->
            waiter.getState() == Thread.State.WAITING
                || waiter.getState() == Thread.State.TIMED_WAITING,
        waiter::getState);
    return waiting;
  }

  private static boolean result(FutureTask<Boolean> waiting) throws Exception {
    return waiting.get(30, TimeUnit.SECONDS);
  }

  @Test
  void part_thatHasNotCome_isWaitedFor() throws Exception {
    FutureTask<Boolean> waiting = pinning(new Piece(10, 20));

    incoming.arrived(new Piece(20, 30));
    assertThat(waiting.isDone()).isFalse();
    incoming.arrived(new Piece(0, 20));

    assertThat(result(waiting)).isTrue();
  }

  @Test
  void part_thatDoesNotCome_isWaitedForNoLonger_thanOneWants() throws Exception {
    assertThat(incoming.pin(new Piece(0, 10), TimeUnit.MILLISECONDS.toNanos(5))).isNull();
    assertThat(incoming.isComing()).isTrue();
  }

  @Test
  void reader_whoseObjectDoesNotComeAnyMore_isToldSo_andWhatItHasStays() throws Exception {
    creation.segment().set(ValueLayout.JAVA_BYTE, 7, (byte) 42);
    incoming.arrived(new Piece(0, 50));
    Pin early = incoming.pin(new Piece(0, 50), 0);
    FutureTask<Boolean> waiting = pinning(new Piece(50, 10));

    creation.abort();
    incoming.ended();

    assertThat(result(waiting)).isFalse();
    assertThat(incoming.isComing()).isFalse();
    assertThat(canPin(incoming, new Piece(0, 50))).isFalse();
    assertThat(early.segment().get(ValueLayout.JAVA_BYTE, 7)).isEqualTo((byte) 42);
    assertThat(store.stats().usedBytes()).isPositive();
    early.close();
    assertThat(store.stats().usedBytes()).isZero();
  }

  @Test
  void reader_ofWhatIsBeingSealed_waits_andFindsItInTheStore() throws Exception {
    incoming.arrived(new Piece(0, SIZE));
    incoming.sealing();
    FutureTask<Boolean> waiting = pinning(new Piece(0, 50));

    creation.sealCopy().close();
    incoming.ended();

    assertThat(result(waiting)).isFalse();
    assertThat(incoming.isComing()).isFalse();
    assertThat(store.contains(Daemon.id(1))).isTrue();
  }
}
