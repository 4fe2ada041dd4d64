package io.aktis.store;

import static io.aktis.store.Stores.MIB;
import static io.aktis.store.Stores.id;
import static io.aktis.store.Stores.put;
import static io.aktis.store.Stores.result;
import static io.aktis.store.Stores.start;
import static io.aktis.store.Stores.startWaitingCreate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens when there is no room. */
final class ObjectStoreFullTest {
  @RegisterExtension final Stores stores = new Stores();

  @Test
  void create_largerThanTheStore_failsAtOnceWithFigures() {
    ObjectStore store = stores.open(10 * MIB);
    put(store, 1, 4 * MIB, 1);

    StoreFullException e =
        catchThrowableOfType(StoreFullException.class, () -> store.create(id(2), 11 * MIB));
    assertThat(e.requestedBytes()).isEqualTo(11 * MIB);
    assertThat(e.stats().capacityBytes()).isEqualTo(10 * MIB);
    assertThat(e.stats().usedBytes()).isEqualTo(4 * MIB);
    assertThat(e)
        .hasMessageContaining("larger than the object store")
        .hasMessageContaining("11.0 MiB");
    assertThatThrownBy(() -> store.tryCreate(id(2), Long.MAX_VALUE))
        .isInstanceOf(StoreFullException.class);
  }

  @Test
  void create_ofExactlyTheCapacity_fits() {
    ObjectStore store = stores.open(1000);
    put(store, 1, 1000, 1);

    assertThat(store.stats().largestFreeBytes()).isZero();
  }

  @Test
  void create_pastItsDeadline_failsWithFigures() {
    ObjectStore store = stores.open(10 * MIB);
    put(store, 1, 6 * MIB, 1);
    try (Pin pin = store.pin(id(1))) {
      long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
      StoreFullException e =
          catchThrowableOfType(
              StoreFullException.class, () -> store.create(id(2), 5 * MIB, deadlineNanos));

      assertThat(System.nanoTime() - deadlineNanos).isPositive();
      assertThat(e.requestedBytes()).isEqualTo(5 * MIB);
      assertThat(pin.sizeBytes()).isEqualTo(6 * MIB);
      assertThat(e.stats().usedBytes()).isEqualTo(6 * MIB);
      assertThat(e.stats().pinnedBytes()).isEqualTo(6 * MIB);
      assertThat(e.stats().pinnedObjects()).isEqualTo(1);
      assertThat(e.stats().waitingCreates()).isEqualTo(1);
      assertThat(e.stats().waitingBytes()).isEqualTo(5 * MIB);
      assertThat(e)
          .hasMessage(
              "the object store is full: 5.0 MiB requested, 4.0 MiB free of a capacity of 10.0 MiB;"
                  + " pinned are 6.0 MiB in 1 objects, deleted but still pinned 0 bytes in 0, being"
                  + " written 0 objects, waiting for room 5.0 MiB in 1 creates");
    }
    assertThat(store.stats().waitingCreates()).isZero();
  }

  @Test
  void create_withPassedDeadline_takesRoomThatIsThere() throws InterruptedException {
    ObjectStore store = stores.open(MIB);

    store.create(id(1), MIB, System.nanoTime()).close();
  }

  @Test
  void tryCreate_withoutRoom_returnsNull() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, MIB, 1);

    assertThat(store.tryCreate(id(2), 1)).isNull();
    store.delete(id(1));
    try (Creation creation = store.tryCreate(id(2), 1)) {
      assertThat(creation).isNotNull();
    }
  }

  @Test
  void waitingCreate_afterDelete_isAdmitted() throws Exception {
    ObjectStore store = stores.open(MIB);
    put(store, 1, MIB, 1);
    Future<Creation> waiting = startWaitingCreate(store, 2, MIB, 0);
    store.delete(id(1));

    assertThat(result(waiting).seal()).isTrue();
  }

  @Test
  void waitingCreate_afterAbort_isAdmitted() throws Exception {
    ObjectStore store = stores.open(MIB);
    Creation creation = store.create(id(1), MIB);
    Future<Creation> waiting = startWaitingCreate(store, 2, MIB, 0);
    creation.abort();

    result(waiting).abort();
  }

  @Test
  void waitingCreate_forDeletedObject_isAdmittedByItsLastPin() throws Exception {
    ObjectStore store = stores.open(MIB);
    put(store, 1, MIB, 1);
    Pin pin = store.pin(id(1));
    Future<Creation> waiting = startWaitingCreate(store, 2, MIB, 0);
    store.delete(id(1));
    assertThat(store.stats().waitingCreates()).isEqualTo(1);
    pin.close();

    result(waiting).abort();
  }

  @Test
  void waitingCreates_areAdmittedInOrder_andSmallDoesNotPassLarge() throws Exception {
    ObjectStore store = stores.open(10 * MIB);
    put(store, 1, 5 * MIB, 1);
    put(store, 2, 4 * MIB, 1);
    Future<Creation> large = startWaitingCreate(store, 3, 10 * MIB, 0);
    Future<Creation> small = startWaitingCreate(store, 4, MIB, 1);

    assertThat(store.tryCreate(id(5), MIB)).as("must not pass either").isNull();
    store.delete(id(1));
    assertThat(store.stats().waitingCreates()).isEqualTo(2);
    store.delete(id(2));
    Creation admitted = result(large);
    assertThat(small.isDone()).isFalse();
    admitted.abort();
    result(small).abort();
  }

  @Test
  void waitingCreates_thatFitTogether_areAdmittedByOneDelete() throws Exception {
    ObjectStore store = stores.open(10 * MIB);
    put(store, 1, 10 * MIB, 1);
    Future<Creation> first = startWaitingCreate(store, 2, 6 * MIB, 0);
    Future<Creation> second = startWaitingCreate(store, 3, 4 * MIB, 1);
    store.delete(id(1));

    result(first).abort();
    result(second).abort();
  }

  @Test
  void waitingCreate_thatGivesUp_letsTheNextGo() throws Exception {
    ObjectStore store = stores.open(10 * MIB);
    put(store, 1, 5 * MIB, 1);
    AtomicInteger interrupted = new AtomicInteger();
    Thread large =
        Thread.startVirtualThread(() -> {
          try (Creation creation = store.create(id(2), 10 * MIB)) {
            throw new AssertionError(creation);
          } catch (InterruptedException e) {
            interrupted.incrementAndGet();
          }
        });
    Await.until(() -> store.stats().waitingCreates() == 1, store::stats);
    Future<Creation> small = startWaitingCreate(store, 3, MIB, 1);
    large.interrupt();

    result(small).abort();
    large.join();
    assertThat(interrupted).hasValue(1);
    assertThat(store.stats().waitingBytes()).isZero();
  }

  @Test
  void waitingCreate_ofClosedStore_fails() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, MIB, 1);
    Pin pin = store.pin(id(1));
    Future<Creation> waiting = startWaitingCreate(store, 2, MIB, 0);
    store.close();

    assertThatThrownBy(() -> result(waiting))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseMessage("the object store is closed");
    assertThat(store.stats().waitingCreates()).isZero();
    pin.close();
  }

  @Test
  void pressure_thatDeletes_makesRoomForTheCreateThatWaits() throws Exception {
    ObjectStore[] store = new ObjectStore[1];
    store[0] = stores.open(MIB, () -> store[0].delete(id(1)));
    put(store[0], 1, MIB, 1);

    result(start(() -> store[0].create(id(2), MIB))).abort();
  }

  @Test
  void pressure_thatHelpsTheHeadOnly_isRelievedByTheNextHead() throws Exception {
    ObjectStore[] store = new ObjectStore[1];
    AtomicInteger rounds = new AtomicInteger();
    store[0] = stores.open(2 * MIB, () -> store[0].delete(id(rounds.getAndIncrement())));
    put(store[0], 2, MIB, 1);
    put(store[0], 3, MIB, 1);
    Future<Creation> first = start(() -> store[0].create(id(4), MIB));
    Future<Creation> second = start(() -> store[0].create(id(5), MIB));

    Creation one = result(first);
    Creation other = result(second);
    one.abort();
    other.abort();
  }

  @Test
  void pressure_thatThrows_endsTheCreate() {
    ObjectStore store =
        stores.open(
            MIB,
            () -> {
              throw new UnsupportedOperationException();
            });
    put(store, 1, MIB, 1);

    assertThatThrownBy(() -> store.create(id(2), MIB))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(store.stats().waitingCreates()).isZero();
  }

  @Test
  void pressure_thatThrowsAfterMakingRoom_leavesTheRoomFree() {
    ObjectStore[] store = new ObjectStore[1];
    store[0] =
        stores.open(
            MIB,
            () -> {
              store[0].delete(id(1));
              throw new UnsupportedOperationException();
            });
    put(store[0], 1, MIB, 1);

    assertThatThrownBy(() -> store[0].create(id(2), MIB))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(store[0].stats().usedBytes()).isZero();
  }

  @Test
  void create_intoHolesOfTheWrongLength_isAdmittedByBytes() {
    ObjectStore store = stores.open(100 * MIB);
    for (int i = 0; i < 10; i++) {
      put(store, i, 10 * MIB, i);
    }
    for (int i = 0; i < 10; i += 2) {
      store.delete(id(i));
    }
    put(store, 10, 50 * MIB, 10);

    assertThat(store.stats().usedBytes()).isEqualTo(100 * MIB);
    assertThat(store.stats().reservedBytes()).isEqualTo(100 * MIB);
    for (int i = 1; i < 10; i += 2) {
      assertThat(store.view(id(i)).asByteBuffer().get(10 * MIB - 1)).isEqualTo((byte) i);
    }
  }
}
