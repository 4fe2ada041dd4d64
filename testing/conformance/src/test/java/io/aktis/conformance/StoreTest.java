package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.CallerInterruptedException;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import io.aktis.ObjectStoreFullException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The object store: full, steady, and what releases a value. */
@EngineTest(cpus = 2, objectStoreBytes = StoreTest.CAPACITY)
class StoreTest {
  static final int CAPACITY = 16 << 20;
  private static final int MEBI = 1 << 20;

  @Test
  @OneProcess("the store of a daemon spills to disk instead")
  @Semantics("3.full.waits")
  void put_storeIsFull_waitsUntilAValueIsReleased() throws InterruptedException {
    Notes notes = Notes.empty();
    ObjectRef<byte[]> first = Aktis.put(new byte[12 * MEBI]);
    Thread putter = new Thread(() -> putAndTell(notes));
    putter.start();
    Await.until("the putter to wait", () -> Interrupted.isWaiting(putter));
    assertThat(notes.count()).isZero();

    first.close();

    putter.join();
    assertThat(notes.lines()).containsExactly("8388608");
  }

  @Test
  @OneProcess("the store of a daemon spills to disk instead")
  @Semantics("3.full.waits")
  void result_storeIsFull_waitsUntilAValueIsReleased() {
    ObjectRef<byte[]> first = Aktis.put(new byte[12 * MEBI]);
    Notes notes = Notes.empty();
    ObjectRef<byte[]> second = Aktis.task(StoreTest::notedArray, notes).remote();
    notes.awaitCount(1);

    first.close();

    assertThat(second.get()).hasSize(8 * MEBI);
  }

  @Test
  @Semantics({"3.full.waits", "2.streams.bounded"})
  void stream_ofMoreThanTheStoreHolds_getsThrough() {
    long bytes = 0;
    try (ObjectRefStream<byte[]> stream = Aktis.stream(StoreTest::megabytes, 64).remote()) {
      for (ObjectRef<byte[]> ref : stream) {
        bytes += ref.get().length;
        ref.close();
      }
    }
    assertThat(bytes).isEqualTo(64L * MEBI);
  }

  @Test
  @OneProcess("the store of a daemon spills to disk instead")
  @Semantics({"3.full.waits", "8.interrupt"})
  void put_interruptedWhileItWaitsForRoom_ends() throws InterruptedException {
    ObjectRef<byte[]> held = Aktis.put(new byte[12 * MEBI]);

    Interrupted putter = Interrupted.whileIn(() -> Aktis.put(new byte[8 * MEBI]));

    assertThat(putter.failure()).isInstanceOf(CallerInterruptedException.class);
    assertThat(putter.flag()).isTrue();
    assertThat(held.get()).hasSize(12 * MEBI);
  }

  @Test
  @OneProcess("the store of a daemon spills to disk instead")
  @Semantics("3.full.error")
  void put_largerThanTheStore_failsWithTheFigures() {
    assertThatThrownBy(() -> Aktis.put(new byte[2 * CAPACITY]))
        .isInstanceOf(ObjectStoreFullException.class)
        .hasMessageContaining("capacity of 16.0 MiB");
  }

  @Test
  @OneProcess("the store of a daemon spills to disk instead")
  @Semantics("3.full.error")
  void put_noRoomIsMade_failsWithTheFigures() {
    ObjectRef<byte[]> held = Aktis.put(new byte[12 * MEBI]);

    assertThatThrownBy(() -> Aktis.put(new byte[8 * MEBI]))
        .isInstanceOf(ObjectStoreFullException.class)
        .hasMessageContaining("capacity of 16.0 MiB");

    assertThat(held.get()).hasSize(12 * MEBI);
  }

  @Test
  @SeveralProcesses("the store of one process lives in memory")
  @Semantics("3.full.spill")
  void put_moreThanTheStoreHolds_isSpilledAndComesBack() {
    List<ObjectRef<byte[]>> refs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      refs.add(Aktis.put(filled(4 * MEBI, i)));
    }

    for (int i = 0; i < 10; i++) {
      assertThat(refs.get(i).get()).isEqualTo(filled(4 * MEBI, i));
      assertThat(Aktis.task(StoreTest::first, refs.get(i)).remote().get()).isEqualTo((byte) i);
    }
  }

  @Test
  @SeveralProcesses("the store of one process lives in memory")
  @Semantics("3.full.spill")
  void put_largerThanTheStore_isTakenAndComesBack() {
    byte[] large = filled(2 * CAPACITY, 7);

    assertThat(Aktis.put(large).get()).isEqualTo(large);
  }

  @Test
  @SeveralProcesses("the store of one process lives in memory")
  @Semantics({"3.full.error", "3.full.read"})
  void put_noRoomInMemoryNorOnDisk_failsWithTheFiguresAndLeavesTheRestReadable() {
    List<ObjectRef<byte[]>> held = new ArrayList<>();

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 30; i++) {
                held.add(Aktis.put(new byte[8 * MEBI]));
              }
            })
        .isInstanceOf(ObjectStoreFullException.class)
        .hasMessageContaining("capacity of 16.0 MiB");
    assertThat(held).allSatisfy(ref -> assertThat(ref.get()).hasSize(8 * MEBI));
  }

  private static byte[] filled(int size, int content) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) content);
    return bytes;
  }

  static byte first(byte[] bytes) {
    return bytes[0];
  }

  @Test
  @Semantics("3.steady.flat")
  void loop_ofPutPassGetAndDrop_staysFlat(AktisSession session) {
    for (int i = 0; i < 300; i++) {
      try (ObjectRef<byte[]> put = Aktis.put(new byte[4 * MEBI]);
          ObjectRef<byte[]> passed = Aktis.task(StoreTest::touch, put).remote()) {
        assertThat(passed.get()[0]).isEqualTo((byte) 1);
      }
    }

    awaitEmptyStore(session);
  }

  @Test
  @Semantics("3.steady.flat")
  void loop_ofLargeArgumentsByValue_staysFlat(AktisSession session) {
    for (int i = 0; i < 100; i++) {
      try (ObjectRef<Integer> length =
          Aktis.task((byte[] bytes) -> bytes.length, new byte[4 * MEBI]).remote()) {
        assertThat(length.get()).isEqualTo(4 * MEBI);
      }
    }

    awaitEmptyStore(session);
  }

  @Test
  @Semantics("3.released.collected")
  void loop_withoutClose_livesOnTheCollector(AktisSession session) {
    for (int i = 0; i < 20; i++) {
      assertThat(Aktis.put(new byte[4 * MEBI]).get()).hasSize(4 * MEBI);
    }

    Await.until(
        "the collector to release what was dropped",
        Duration.ofSeconds(20),
        () -> {
          System.gc();
          return used(session) == 0;
        },
        () -> used(session) + " bytes are in use");
  }

  @Test
  @Semantics("3.contained.refs")
  void reference_insideAValue_keepsItsValueAlive(AktisSession session) {
    ObjectRef<byte[]> inner = Aktis.put(new byte[MEBI]);
    ObjectRef<List<ObjectRef<byte[]>>> outer = Aktis.put(List.of(inner));
    inner.close();

    List<ObjectRef<byte[]>> list = outer.get();
    assertThat(list.getFirst().get()).hasSize(MEBI);

    list.getFirst().close();
    outer.close();
    awaitEmptyStore(session);
  }

  @Test
  @Semantics("3.contained.refs")
  void reference_insideAValueThatATaskGets_canBeUsedThereAndComesBack() {
    ObjectRef<Integer> inner = Aktis.put(40);
    ObjectRef<List<ObjectRef<Integer>>> outer = Aktis.put(List.of(inner));
    inner.close();

    ObjectRef<List<ObjectRef<Integer>>> passedOn =
        Aktis.task(StoreTest::withOneMore, outer).remote();
    outer.close();

    assertThat(Aktis.get(passedOn.get())).containsExactly(40, 42);
  }

  private static List<ObjectRef<Integer>> withOneMore(List<ObjectRef<Integer>> refs) {
    ObjectRef<Integer> first = refs.getFirst();
    return List.of(first, Aktis.put(first.get() + 2));
  }

  @Test
  @Semantics("3.contained.refs")
  void reference_closed_cannotBeUsedAnyMore() {
    ObjectRef<Integer> ref = Aktis.put(1);
    ref.close();
    ref.close();

    assertThatThrownBy(ref::get).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Semantics("3.contained.refs")
  void references_hundredThousandInOneValue_travelFast() {
    long start = System.nanoTime();

    List<ObjectRef<Integer>> refs = Aktis.task(StoreTest::manyReferences, 100_000).remote().get();

    assertThat(refs).hasSize(100_000);
    assertThat(refs.getLast().get()).isEqualTo(99_999);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
  }

  private static void awaitEmptyStore(AktisSession session) {
    Await.until("the store to be empty", () -> used(session) == 0);
  }

  private static long used(AktisSession session) {
    return session.cluster().nodes().getFirst().storeUsedBytes();
  }

  private static void putAndTell(Notes notes) {
    try (ObjectRef<byte[]> second = Aktis.put(new byte[8 * MEBI])) {
      notes.add("" + second.get().length);
    }
  }

  static byte[] notedArray(Notes notes) {
    notes.add("made");
    return new byte[8 * MEBI];
  }

  static Stream<byte[]> megabytes(int count) {
    return IntStream.range(0, count).mapToObj(_ -> new byte[MEBI]);
  }

  static byte[] touch(byte[] bytes) {
    bytes[0] = 1;
    return bytes;
  }

  static List<ObjectRef<Integer>> manyReferences(int count) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(Aktis::put).toList());
  }
}
