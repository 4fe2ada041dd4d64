package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values that are bytes in the first place. */
@EngineTest(cpus = 2, objectStoreBytes = 32 << 20)
class BufferTest {
  private static final int SIZE = 1 << 20;

  record Frame(String name, ByteBuffer pixels) {}

  @Test
  @Semantics("3.buffers.view")
  void byteBuffer_heapOrDirect_comesBackAsAReadOnlyView() {
    for (ByteBuffer buffer : new ByteBuffer[] {counting(), ByteBuffer.allocateDirect(SIZE)}) {
      ByteBuffer view = Aktis.put(buffer).get();

      assertThat(view.isReadOnly()).isTrue();
      assertThat(view).isEqualTo(buffer);
      assertThatThrownBy(() -> view.put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
    }
  }

  @Test
  @Semantics({"3.buffers.view", "3.put.copy"})
  void byteBuffer_changedAfterPut_keepsWhatWasPut() {
    ByteBuffer buffer = counting();
    ObjectRef<ByteBuffer> ref = Aktis.put(buffer);

    buffer.put(7, (byte) 99);

    assertThat(ref.get().get(7)).isEqualTo((byte) 7);
  }

  @Test
  @Semantics("3.buffers.view")
  void byteBuffer_partOfABiggerOne_isStoredAsThatPart() {
    ByteBuffer part = counting().slice(100, 50);

    ByteBuffer view = Aktis.put(part).get();

    assertThat(view.remaining()).isEqualTo(50);
    assertThat(view.get(view.position())).isEqualTo((byte) 100);
  }

  @Test
  @Semantics("3.buffers.view")
  void memorySegment_largeValue_comesBackReadOnlyWithoutACopy() {
    MemorySegment segment = MemorySegment.ofArray(counting().array());
    ObjectRef<MemorySegment> ref = Aktis.put(segment);

    MemorySegment one = ref.get();

    assertThat(one.isReadOnly()).isTrue();
    assertThat(one.byteSize()).isEqualTo(SIZE);
    assertThat(one.mismatch(segment)).isEqualTo(-1);
    assertThat(Aktis.task(BufferTest::isGotWithoutACopy, List.of(ref)).remote().get()).isTrue();
    assertThatThrownBy(() -> one.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Asked where the value lies: the program may be on a machine without a node. */
  static boolean isGotWithoutACopy(List<ObjectRef<MemorySegment>> ref) {
    MemorySegment one = ref.getFirst().get();
    MemorySegment another = ref.getFirst().get();
    return another.address() == one.address();
  }

  static boolean isViewedWithoutACopy(List<ObjectRef<byte[]>> ref) {
    MemorySegment one = ref.getFirst().view();
    MemorySegment another = ref.getFirst().view();
    return another.address() == one.address();
  }

  @Test
  @Semantics("3.buffers.view")
  void byteBuffer_insideAValue_isAViewToo() {
    Frame frame = Aktis.put(new Frame("first", counting())).get();

    assertThat(frame.name()).isEqualTo("first");
    assertThat(frame.pixels()).isEqualTo(counting());
    assertThat(frame.pixels().isReadOnly()).isTrue();
  }

  @Test
  @Semantics("3.buffers.view")
  void byteBuffer_throughATask_keepsItsContent() {
    ObjectRef<ByteBuffer> ref = Aktis.put(counting());

    ObjectRef<Integer> sum = Aktis.task((ByteBuffer b) -> (int) b.get(5) + b.get(6), ref).remote();
    ObjectRef<ByteBuffer> made = Aktis.task(BufferTest::counting).remote();

    assertThat(sum.get()).isEqualTo(11);
    assertThat(made.get()).isEqualTo(counting());
  }

  @Test
  @Semantics("3.buffers.array")
  void array_gotTwice_givesTwoCopies() {
    ObjectRef<byte[]> ref = Aktis.put(counting().array());

    byte[] mine = ref.get();
    mine[0] = 42;

    assertThat(ref.get()).isNotSameAs(mine).isEqualTo(counting().array());
  }

  @Test
  @Semantics("3.buffers.array")
  void array_ofEveryPrimitiveType_comesBackLarge() {
    double[] doubles = new double[SIZE / 8];
    doubles[1_000] = 1.5;
    long[] longs = new long[SIZE / 8];
    longs[1_000] = -1;

    assertThat(Aktis.put(doubles).get()).isEqualTo(doubles);
    assertThat(Aktis.put(longs).get()).isEqualTo(longs);
    assertThat(Aktis.put(new int[SIZE / 4]).get()).hasSize(SIZE / 4);
    assertThat(Aktis.put(new float[SIZE / 4]).get()).hasSize(SIZE / 4);
    assertThat(Aktis.put(new short[SIZE / 2]).get()).hasSize(SIZE / 2);
    assertThat(Aktis.put(new char[SIZE / 2]).get()).hasSize(SIZE / 2);
    assertThat(Aktis.put(new boolean[SIZE]).get()).hasSize(SIZE);
  }

  @Test
  @Semantics("3.buffers.array")
  void view_ofAnArrayOrBuffer_readsItsBytesWithoutACopy() {
    long[] longs = {1, 2, 3};
    ObjectRef<byte[]> bytes = Aktis.put(counting().array());

    MemorySegment view = bytes.view();

    assertThat(view.isReadOnly()).isTrue();
    assertThat(view.mismatch(MemorySegment.ofArray(counting().array()))).isEqualTo(-1);
    assertThat(Aktis.task(BufferTest::isViewedWithoutACopy, List.of(bytes)).remote().get())
        .isTrue();
    assertThat(Aktis.put(longs).view().toArray(ValueLayout.JAVA_LONG)).isEqualTo(longs);
    assertThat(Aktis.put(counting()).view().byteSize()).isEqualTo(SIZE);
  }

  @Test
  @Semantics("3.buffers.array")
  void view_ofAnotherKindOfValue_isAnError() {
    assertThatThrownBy(Aktis.put("text")::view)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("get()");
  }

  @Test
  @Semantics("3.buffers.pinned")
  void view_heldAfterItsReferenceWasClosed_keepsItsContent() {
    ObjectRef<ByteBuffer> ref = Aktis.put(counting());
    ByteBuffer view = ref.get();
    ref.close();

    for (int i = 0; i < 200; i++) {
      Aktis.put(new byte[SIZE]).close();
    }

    assertThat(view).isEqualTo(counting());
  }

  static ByteBuffer counting() {
    byte[] bytes = new byte[SIZE];
    for (int i = 0; i < SIZE; i++) {
      bytes[i] = (byte) i;
    }
    return ByteBuffer.wrap(bytes);
  }
}
