package io.aktis.store;

import static io.aktis.store.Stores.MIB;
import static io.aktis.store.Stores.id;
import static io.aktis.store.Stores.put;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.id.ObjectId;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The life of an object, and the figures along it. */
final class ObjectStoreTest {
  @RegisterExtension final Stores stores = new Stores();

  @Test
  void open_withoutObjects_reservesNothing() {
    ObjectStore store = stores.open(1L << 40);

    assertThat(stores.reservedRanges()).isZero();
    assertThat(store.stats())
        .isEqualTo(new StoreStats(1L << 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1L << 40, 0, 0, 0, 0));
  }

  @Test
  void creation_beforeSeal_isNotSeen() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    try (Creation creation = store.create(id(1), 1000)) {
      assertThat(creation.sizeBytes()).isEqualTo(1000);
      assertThat(creation.segment().byteSize()).isEqualTo(1000);
      assertThat(creation.segment().maxByteAlignment()).isGreaterThanOrEqualTo(64);
      assertThat(store.pin(id(1))).isNull();
      assertThat(store.view(id(1))).isNull();
      assertThat(store.objects())
          .containsExactly(new ObjectInfo(id(1), 1000, 0, 0, ObjectInfo.State.CREATING));
      assertThat(store.stats().creatingObjects()).isEqualTo(1);
      assertThat(store.stats().usedBytes()).isEqualTo(1024);
    }
  }

  @Test
  void creation_sealed_isSeenByPinAndView() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 1000, 42);

    try (Pin pin = store.pin(id)) {
      assertThat(pin.id()).isEqualTo(id);
      assertThat(pin.sizeBytes()).isEqualTo(1000);
      assertThat(pin.segment().get(JAVA_BYTE, 999)).isEqualTo((byte) 42);
    }
    assertThat(store.view(id).get(JAVA_BYTE, 999)).isEqualTo((byte) 42);
    assertThat(store.stats().sealedObjects()).isEqualTo(1);
    assertThat(store.stats().creatingObjects()).isZero();
  }

  @Test
  void creation_pinnedAndSealed_keepsItsBytesForThePin() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    Creation creation = store.create(id(1), 1000);
    creation.segment().set(JAVA_BYTE, 10, (byte) 42);
    try (Pin early = creation.pin()) {
      creation.pin().close();
      assertThat(early.segment().get(JAVA_BYTE, 10)).isEqualTo((byte) 42);
      assertThat(creation.seal()).isTrue();
      assertThat(store.delete(id(1))).isTrue();

      assertThat(store.stats().deletedObjects()).isEqualTo(1);
      assertThat(early.segment().get(JAVA_BYTE, 10)).isEqualTo((byte) 42);
      assertThatThrownBy(creation::pin).isInstanceOf(IllegalStateException.class);
    }
    assertThat(store.stats().usedBytes()).isZero();
    assertThat(store.stats().pinnedBytes()).isZero();
  }

  @Test
  void creation_pinnedAndAborted_givesItsRoomBackWithTheLastPin() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    Creation creation = store.create(id(1), 1000);
    creation.segment().set(JAVA_BYTE, 10, (byte) 42);
    Pin first = creation.pin();
    Pin second = creation.pin();
    creation.abort();
    first.close();

    assertThat(store.stats().creatingObjects()).isZero();
    assertThat(store.stats().deletedBytes()).isEqualTo(1024);
    assertThat(store.pin(id(1))).isNull();
    assertThat(second.segment().get(JAVA_BYTE, 10)).isEqualTo((byte) 42);
    second.close();
    assertThat(store.stats().usedBytes()).isZero();
    assertThat(store.stats().deletedBytes()).isZero();
  }

  @Test
  void creation_pinnedForAWhile_canBeDroppedOnceItIsSealed() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    try (Creation creation = store.create(id(1), MIB)) {
      Pin early = creation.pin();
      creation.sealCopy().close();
      assertThat(store.tryCreate(id(2), MIB)).isNull(); // the early pin keeps it
      early.close();
    }
    try (Creation other = store.tryCreate(id(2), MIB)) {
      assertThat(other).isNotNull();
    }
  }

  @Test
  void creation_closedWithoutSeal_givesItsRoomBack() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    store.create(id(1), MIB).close();

    assertThat(store.pin(id(1))).isNull();
    assertThat(store.stats().usedBytes()).isZero();
    assertThat(store.objects()).isEmpty();
  }

  @Test
  void creation_afterItsEnd_refusesToGoOn() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    Creation sealed = store.create(id(1), 10);
    sealed.seal();
    Creation aborted = store.create(id(2), 10);
    aborted.abort();

    assertThatThrownBy(sealed::seal).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(sealed::segment).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(aborted::seal).isInstanceOf(IllegalStateException.class);
    sealed.abort();
    aborted.close();
    assertThat(store.stats().usedBytes()).isEqualTo(64);
  }

  @Test
  void seal_ofSecondObjectOfOneName_keepsTheFirst() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    Creation early = store.create(id(1), 10);
    Creation late = store.create(id(1), 20);

    assertThat(late.seal()).isTrue();
    assertThat(early.seal()).isFalse();
    try (Pin pin = store.pin(id(1))) {
      assertThat(pin.sizeBytes()).isEqualTo(20);
    }
    assertThat(store.stats().usedBytes()).isEqualTo(64);
  }

  @Test
  void create_ofNoBytes_makesAnEmptyObject() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 0, 0);

    assertThat(store.view(id).byteSize()).isZero();
    try (Pin pin = store.pin(id)) {
      assertThat(pin.sizeBytes()).isZero();
    }
    assertThat(store.stats().usedBytes()).isEqualTo(64);
  }

  @Test
  void create_ofNegativeSize_isRefused() {
    ObjectStore store = stores.open(MIB);

    assertThatThrownBy(() -> store.create(id(1), -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.tryCreate(id(1), -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void pin_andView_areReadOnly() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 10, 1);
    MemorySegment view = store.view(id);

    assertThat(view.isReadOnly()).isTrue();
    assertThat(view.asByteBuffer().isReadOnly()).isTrue();
    try (Pin pin = store.pin(id)) {
      assertThatThrownBy(() -> pin.segment().set(JAVA_BYTE, 0, (byte) 2))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void pin_closedTwice_releasesOnce() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 10, 1);
    Pin pin = store.pin(id);
    Pin other = store.pin(id);
    pin.close();
    pin.close();

    assertThat(store.objects())
        .containsExactly(new ObjectInfo(id, 10, 1, 0, ObjectInfo.State.SEALED));
    assertThatThrownBy(pin::segment).isInstanceOf(IllegalStateException.class);
    other.close();
    assertThat(store.stats().pinnedObjects()).isZero();
  }

  @Test
  void delete_ofUnpinned_givesItsRoomBack() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 10, 1);

    assertThat(store.delete(id)).isTrue();
    assertThat(store.delete(id)).isFalse();
    assertThat(store.pin(id)).isNull();
    assertThat(store.stats().usedBytes()).isZero();
  }

  @Test
  void delete_ofUnknownOrUnsealed_doesNothing() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    try (Creation creation = store.create(id(1), 10)) {
      assertThat(store.delete(id(1))).isFalse();
      assertThat(store.delete(id(2))).isFalse();
      assertThat(creation.seal()).isTrue();
    }
    assertThat(store.stats().sealedObjects()).isEqualTo(1);
  }

  @Test
  void delete_ofPinned_keepsTheBytesUntilTheLastPinIsClosed() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, MIB / 2, 1);
    Pin first = store.pin(id);
    Pin last = store.pin(id);

    assertThat(store.delete(id)).isTrue();
    assertThat(store.pin(id)).isNull();
    put(store, 2, MIB / 2, 2);
    first.close();
    assertThat(store.tryCreate(id(3), 1)).isNull();
    assertThat(last.segment().get(JAVA_BYTE, MIB / 2 - 1)).isEqualTo((byte) 1);
    assertThat(store.stats().deletedBytes()).isEqualTo(MIB / 2);
    assertThat(store.stats().deletedObjects()).isEqualTo(1);
    assertThat(store.objects())
        .contains(new ObjectInfo(id, MIB / 2, 1, 0, ObjectInfo.State.DELETED));

    last.close();
    assertThat(store.stats().deletedBytes()).isZero();
    put(store, 3, MIB / 2, 3);
  }

  @Test
  void delete_ofPinned_freesTheNameAtOnce() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 10, 1);
    try (Pin old = store.pin(id)) {
      store.delete(id);
      put(store, 1, 20, 2);
      try (Pin young = store.pin(id)) {
        assertThat(old.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
        assertThat(young.segment().get(JAVA_BYTE, 0)).isEqualTo((byte) 2);
      }
    }
    assertThat(store.stats().usedBytes()).isEqualTo(64);
  }

  @Test
  void stats_ofPinned_countEachObjectOnce() {
    ObjectStore store = stores.open(MIB);
    ObjectId id = put(store, 1, 100, 1);
    put(store, 2, 100, 1);
    try (Pin one = store.pin(id);
        Pin two = store.pin(id)) {
      StoreStats stats = store.stats();
      assertThat(stats.pinnedObjects()).isEqualTo(1);
      assertThat(stats.pinnedBytes()).isEqualTo(128);
      assertThat(stats.usedBytes()).isEqualTo(256);
      assertThat(stats.largestFreeBytes()).isEqualTo(MIB - 256);
      assertThat(one.segment().mismatch(two.segment())).isEqualTo(-1);
    }
  }

  @Test
  void steadyLoop_ofPutAndDelete_staysFlat() {
    ObjectStore store = stores.open(500L * MIB);
    int sizeBytes = 50 * MIB;
    put(store, 0, sizeBytes, 1);
    long reservedBytes = store.stats().reservedBytes();
    store.delete(id(0));
    for (int i = 0; i < 200; i++) {
      put(store, i, sizeBytes, i);
      try (Pin pin = store.pin(id(i))) {
        assertThat(pin.segment().get(JAVA_BYTE, sizeBytes - 1)).isEqualTo((byte) i);
      }
      store.delete(id(i));
      assertThat(store.stats().usedBytes()).isZero();
      assertThat(store.stats().reservedBytes()).isEqualTo(reservedBytes);
    }
  }

  @Test
  void trim_ofIdleStore_givesTheMemoryBackAndTakesItAgain() {
    ObjectStore store = stores.open(64L * MIB);
    put(store, 1, 10 * MIB, 1);
    put(store, 2, 10 * MIB, 2);
    store.delete(id(1));
    assertThat(store.stats().reservedBytes()).isEqualTo(20 * MIB);

    assertThat(store.trim()).isEqualTo(10 * MIB);
    assertThat(store.stats().reservedBytes()).isEqualTo(10 * MIB);
    put(store, 3, 10 * MIB, 3);
    assertThat(store.view(id(2)).get(JAVA_BYTE, 10 * MIB - 1)).isEqualTo((byte) 2);
    assertThat(store.view(id(3)).get(JAVA_BYTE, 10 * MIB - 1)).isEqualTo((byte) 3);
  }

  @Test
  void object_ofThreeGibibytes_isOneSegment() throws InterruptedException {
    long sizeBytes = 3L << 30;
    ObjectStore store = stores.open(sizeBytes);
    try (Creation creation = store.create(id(1), sizeBytes)) {
      creation.segment().set(JAVA_BYTE, 0, (byte) 1);
      creation.segment().set(JAVA_BYTE, sizeBytes - 1, (byte) 2);
      creation.seal();
    }

    MemorySegment view = store.view(id(1));
    assertThat(view.byteSize()).isEqualTo(sizeBytes);
    assertThat(view.get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
    assertThat(view.get(JAVA_BYTE, sizeBytes - 1)).isEqualTo((byte) 2);
  }
}
