package io.aktis.store;

import static io.aktis.store.Stores.MIB;
import static io.aktis.store.Stores.id;
import static io.aktis.store.Stores.put;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Views, which the collector releases, and the memory that outlives the store for their sake. */
final class ObjectStoreViewTest {
  @RegisterExtension final Stores stores = new Stores();

  /**
   * What is reachable while the collector runs: a local variable may be found dead before its scope
   * ends.
   */
  private MemorySegment slice;

  private ByteBuffer buffer;

  @Test
  void view_nobodyReaches_isReleased() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    assertThat(store.view(id(1)).byteSize()).isEqualTo(1000);

    Await.untilCollected(() -> store.stats().pinnedObjects() == 0, store::objects);
    store.delete(id(1));
    assertThat(store.stats().usedBytes()).isZero();
  }

  @Test
  void view_thatIsHeld_isListed() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    slice = store.view(id(1));

    try (Pin pin = store.pin(id(1))) {
      assertThat(store.objects())
          .containsExactly(new ObjectInfo(pin.id(), 1000, 2, 1, ObjectInfo.State.SEALED));
    }
    assertThat(slice.byteSize()).isEqualTo(1000);
    slice = null;
  }

  @Test
  void pin_kept_isAViewUntilNobodyReachesIt() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    try (Pin pin = store.pin(id(1))) {
      slice = pin.keep().asSlice(10, 1);
      assertThatThrownBy(pin::keep).isInstanceOf(IllegalStateException.class);
    }
    store.delete(id(1));
    awaitCollection(store);
    assertThat(store.stats().deletedObjects()).isEqualTo(1);
    assertThat(slice.get(JAVA_BYTE, 0)).isEqualTo((byte) 1);

    slice = null;
    Await.untilCollected(() -> store.stats().deletedObjects() == 0, store::objects);
  }

  @Test
  void view_reachedThroughSliceOnly_keepsTheBytes() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    slice = store.view(id(1)).asSlice(10, 10).asSlice(1, 2);
    store.delete(id(1));
    awaitCollection(store);

    assertThat(store.stats().deletedObjects()).isEqualTo(1);
    put(store, 2, 1000, 2);
    assertThat(slice.get(JAVA_BYTE, 1)).isEqualTo((byte) 1);
    slice = null;
    Await.untilCollected(() -> store.stats().deletedObjects() == 0, store::objects);
  }

  @Test
  void view_reachedThroughBufferOnly_keepsTheBytes() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    buffer = store.view(id(1)).asByteBuffer().slice(500, 10).duplicate();
    store.delete(id(1));
    awaitCollection(store);

    assertThat(store.stats().deletedObjects()).isEqualTo(1);
    put(store, 2, 1000, 2);
    assertThat(buffer.get(9)).isEqualTo((byte) 1);
    buffer = null;
    Await.untilCollected(() -> store.stats().deletedObjects() == 0, store::objects);
  }

  /** Returns after the collector has found a view that is dropped here. */
  private static void awaitCollection(ObjectStore store) {
    put(store, 99, 10, 9);
    assertThat(store.view(id(99)).byteSize()).isEqualTo(10);
    int views = store.stats().pinnedObjects();
    Await.untilCollected(() -> store.stats().pinnedObjects() < views, store::objects);
    store.delete(id(99));
  }

  @Test
  void views_thatAreGarbage_areCollectedForTheCreateThatWaits() throws InterruptedException {
    ObjectStore store = stores.open(10 * MIB, System::gc);
    for (int i = 0; i < 20; i++) {
      put(store, i, 4 * MIB, i);
      assertThat(store.view(id(i)).get(JAVA_BYTE, 0)).isEqualTo((byte) i);
      store.delete(id(i));
    }
    assertThat(store.stats().reservedBytes()).isLessThanOrEqualTo(10 * MIB);
  }

  @Test
  void closedStore_refusesNewWork() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    store.close();
    store.close();

    assertThatThrownBy(() -> store.create(id(2), 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.tryCreate(id(2), 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.pin(id(1))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> store.view(id(1))).isInstanceOf(IllegalStateException.class);
    assertThat(store.delete(id(1))).isFalse();
    assertThat(store.trim()).isZero();
    assertThat(store.objects()).isEmpty();
    assertThat(stores.reservedRanges()).isZero();
  }

  @Test
  void closedStore_withPinOut_keepsItsBytesUntilThePinIsClosed() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    put(store, 2, 1000, 2);
    Pin pin = store.pin(id(1));
    MemorySegment segment = pin.segment();
    store.close();

    assertThat(segment.get(JAVA_BYTE, 999)).isEqualTo((byte) 1);
    assertThat(store.stats().usedBytes()).isEqualTo(1024);
    assertThat(store.stats().deletedObjects()).isEqualTo(1);
    pin.close();
    assertThat(stores.reservedRanges()).isZero();
    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 999))
        .as("a stale segment fails, it does not crash")
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closedStore_withViewOut_keepsItsBytesUntilTheViewIsGone() {
    ObjectStore store = stores.open(MIB);
    put(store, 1, 1000, 1);
    buffer = store.view(id(1)).asByteBuffer();
    store.close();
    System.gc();

    assertThat(buffer.get(999)).isEqualTo((byte) 1);
    assertThat(stores.reservedRanges()).isEqualTo(1);
    buffer = null;
    Await.untilCollected(() -> stores.reservedRanges() == 0, store::objects);
  }

  @Test
  void closedStore_withCreationOut_dropsItAtItsEnd() throws InterruptedException {
    ObjectStore store = stores.open(MIB);
    Creation sealedLate = store.create(id(1), 1000);
    Creation abortedLate = store.create(id(2), 1000);
    store.close();

    sealedLate.segment().fill((byte) 1);
    assertThatThrownBy(sealedLate::seal)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the object store is closed");
    assertThat(stores.reservedRanges()).isEqualTo(1);
    abortedLate.abort();
    assertThat(stores.reservedRanges()).isZero();
  }
}
