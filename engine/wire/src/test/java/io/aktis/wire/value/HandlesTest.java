package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Handles inside values travel as ids, and whoever counts them is told. */
@SuppressWarnings("UnusedVariable") // what must not be looked at
class HandlesTest {
  interface Ref {
    long number();
  }

  static final class LocalRef implements Ref {
    private final long number;
    private final Semaphore notForSending = new Semaphore(1);

    LocalRef(long number) {
      this.number = number;
    }

    @Override
    public long number() {
      return number;
    }
  }

  static final class OtherRef implements Ref {
    private final long number;

    OtherRef(long number) {
      this.number = number;
    }

    @Override
    public long number() {
      return number;
    }
  }

  record Token(long number) {}

  /** Counts what the codec tells. */
  static final class Counting implements HandleHooks {
    final Class<?> type;
    final List<Object> exported = new ArrayList<>();
    final AtomicInteger restored = new AtomicInteger();
    final AtomicInteger resolved = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();

    Counting(Class<?> type) {
      this.type = type;
    }

    @Override
    public Map<String, Class<?>> types() {
      return Map.of("ref", type);
    }

    @Override
    public HandleId id(Object handle) {
      return new HandleId((byte) 7, -1, ((Ref) handle).number());
    }

    @Override
    public synchronized Object export(Object handle) {
      Token token = new Token(((Ref) handle).number());
      exported.add(token);
      return token;
    }

    @Override
    public Object restore(Object token) {
      restored.incrementAndGet();
      return make(((Token) token).number());
    }

    @Override
    public Object resolve(HandleId id) {
      assertThat(id.kind()).isEqualTo((byte) 7);
      assertThat(id.high()).isEqualTo(-1);
      resolved.incrementAndGet();
      return make(id.low());
    }

    private Ref make(long number) {
      return type == LocalRef.class ? new LocalRef(number) : new OtherRef(number);
    }

    @Override
    public void release(Object token) {
      released.incrementAndGet();
    }
  }

  record Work(String name, Ref input, List<Ref> more) {}

  interface Make<T> extends Supplier<T>, Serializable {}

  private final Counting hooks = new Counting(LocalRef.class);
  private final ValueCodec codec = codec(hooks);

  private static ValueCodec codec(HandleHooks hooks) {
    return ValueCodec.of(HandlesTest.class.getClassLoader(), hooks, memory -> false);
  }

  @Test
  void handles_inAValue_areCollectedOnceInOrder() {
    Ref two = new LocalRef(2);
    List<Ref> more = new ArrayList<>(List.of(two, new LocalRef(3), two, new LocalRef(2)));
    Work work = new Work("w", new LocalRef(1), more);
    Encoded encoded = codec.encode(work);
    assertThat(encoded.handleIds()).extracting(HandleId::low).containsExactly(1L, 2L, 3L);
    assertThat(encoded.exported()).containsExactly(new Token(1), new Token(2), new Token(3));
    assertThat(hooks.exported).hasSize(3);
    Work back = (Work) codec.decode(encoded);
    assertThat(hooks.restored).hasValue(3);
    assertThat(back.more().get(0)).isSameAs(back.more().get(2)).isSameAs(back.more().get(3));
    assertThat(back.more()).extracting(Ref::number).containsExactly(2L, 3L, 2L, 2L);
  }

  @Test
  void handles_arrivingAsBytes_areResolvedByTheReadersClass() {
    Counting elsewhere = new Counting(OtherRef.class);
    byte[] bytes = codec.encode(new Work("w", new LocalRef(1), List.of(new LocalRef(2)))).toBytes();
    Encoded opened = Encoded.open(bytes);
    assertThat(opened.handleIds()).extracting(HandleId::low).containsExactly(1L, 2L);
    assertThat(opened.exported()).isEmpty();
    Work back = (Work) codec(elsewhere).decode(opened);
    assertThat(back.input()).isInstanceOf(OtherRef.class);
    assertThat(back.input().number()).isEqualTo(1);
    assertThat(elsewhere.resolved).hasValue(2);
  }

  @Test
  void reopenedValue_inItsProcess_restoresFromTheTokens() {
    Encoded encoded = codec.encode(new Work("w", new LocalRef(1), List.of(new LocalRef(2))));
    Encoded reopened = Encoded.reopen(Trips.sealed(encoded), encoded.exported());
    Work back = (Work) codec.decode(reopened);
    assertThat(back.more().getFirst().number()).isEqualTo(2);
    assertThat(hooks.restored).hasValue(2);
    assertThat(hooks.resolved).hasValue(0);
  }

  @Test
  void detachedValue_afterItsArraysChange_isAsItWas() {
    byte[] large = new byte[2000];
    Object[] value = {new LocalRef(1), large};
    Encoded encoded = codec.encode(value);
    Encoded detached = encoded.detached();
    large[5] = 1;
    Object[] back = (Object[]) codec.decode(detached);
    assertThat(((byte[]) back[1])[5]).isZero();
    assertThat(detached.exported()).isEqualTo(encoded.exported());
    assertThat(codec.encode("small").detached().tag()).isEqualTo(ValueTag.STRING);
  }

  @Test
  void handle_alone_hasATagOfItsOwn() {
    Encoded encoded = codec.encode(new LocalRef(5));
    assertThat(encoded.tag()).isEqualTo(ValueTag.HANDLE);
    assertThat(encoded.sizeBytes()).isEqualTo(24 + 17);
    Ref back = (Ref) codec.decode(Encoded.open(encoded.toBytes()));
    assertThat(back.number()).isEqualTo(5);
  }

  @Test
  void handles_areNeverShared() {
    record Box(Ref ref) {}
    assertThat(codec.isImmutable(new LocalRef(1))).isFalse();
    assertThat(codec.isImmutable(List.of(new LocalRef(1)))).isFalse();
    assertThat(codec.isImmutable(new Box(new LocalRef(1)))).isFalse();
  }

  @Test
  void handles_inLambdasMapsArraysAndJdkQueues_areCollected() {
    Ref captured = new LocalRef(1);
    Make<Long> lambda = () -> captured.number();
    Map<String, Object> value = new HashMap<>();
    value.put("a", lambda);
    value.put("b", new Ref[] {new LocalRef(2)});
    value.put("c", new ConcurrentLinkedQueue<>(List.of(new LocalRef(3))));
    Encoded encoded = codec.encode(value);
    assertThat(encoded.handleIds()).extracting(HandleId::low).containsExactlyInAnyOrder(1L, 2L, 3L);
    @SuppressWarnings("unchecked")
    Map<String, Object> back = (Map<String, Object>) codec.decode(encoded);
    assertThat(((Make<?>) back.get("a")).get()).isEqualTo(1L);
    assertThat(((Ref[]) back.get("b"))[0].number()).isEqualTo(2);
    assertThat(((ConcurrentLinkedQueue<?>) back.get("c")).peek()).isInstanceOf(LocalRef.class);
  }

  @Test
  void copy_ofValueWithHandles_countsEachAndReleasesTheTokens() {
    Work work = new Work("w", new LocalRef(1), new ArrayList<>(List.of(new LocalRef(2))));
    Work copy = codec.copy(work);
    assertThat(copy.input()).isNotSameAs(work.input());
    assertThat(copy.more().getFirst().number()).isEqualTo(2);
    assertThat(hooks.restored).hasValue(2);
    assertThat(hooks.released).hasValue(2);
    Ref ref = new LocalRef(3);
    assertThat(codec.copy(ref)).isNotSameAs(ref);
  }

  @Test
  void refusal_afterHandlesWereMet_exportsNone() {
    Object value = new ArrayList<>(Arrays.asList(new LocalRef(1), new Semaphore(1)));
    assertThatThrownBy(() -> codec.encode(value)).isInstanceOf(ValueNotSerializableException.class);
    assertThat(hooks.exported).isEmpty();
    assertThat(codec.encode(new ArrayList<>(List.of(new LocalRef(9)))).handleIds())
        .extracting(HandleId::low)
        .containsExactly(9L);
  }

  @Test
  void handles_inAFailure_areCollected() {
    RuntimeException failure = new WithRef(new LocalRef(4));
    Encoded encoded = codec.encodeThrowable(failure);
    assertThat(encoded.handleIds()).hasSize(1);
    WithRef back = (WithRef) codec.decodeThrowable(Encoded.open(encoded.toBytes()));
    assertThat(back.ref.number()).isEqualTo(4);
  }

  static final class WithRef extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final transient Object nothing = null;
    final Ref ref;

    WithRef(Ref ref) {
      this.ref = ref;
    }
  }

  @Test
  void manyHandles_inOneList_takeFewBytesEach() {
    List<Ref> refs = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      refs.add(new LocalRef(i * 31L));
    }
    Encoded encoded = codec.encode(refs);
    assertThat(encoded.handleIds()).hasSize(100_000);
    assertThat(encoded.sizeBytes()).isLessThan(100_000 * 24L);
    List<Ref> back = Trips.byMessage(codec, refs);
    assertThat(back).hasSize(100_000);
    assertThat(back.get(99_999).number()).isEqualTo(99_999 * 31L);
  }
}
