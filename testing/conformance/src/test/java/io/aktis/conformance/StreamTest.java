package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import io.aktis.StreamCall;
import io.aktis.TaskCancelledException;
import io.aktis.TaskFailedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tasks that give a stream of values. */
@EngineTest(cpus = 2)
class StreamTest {
  private static final int DEFAULT_BUFFER = 16;

  @Test
  @Semantics("2.streams.appear")
  void stream_allValues_comeInOrder() {
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::range, 1_000).remote()) {
      assertThat(drain(stream)).isEqualTo(IntStream.range(0, 1_000).boxed().toList());
      stream.completion().get();
    }
  }

  @Test
  @Semantics("2.streams.appear")
  void stream_withoutValues_ends() {
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::range, 0).remote()) {
      assertThat(stream.iterator().hasNext()).isFalse();
    }
  }

  @Test
  @Semantics("2.streams.appear")
  void iterator_valueNotMadeYet_waitsForItAndGivesTheEarlierOnes() {
    Gate gate = Gate.closed();
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::gateBeforeTwo, gate).remote()) {
      Iterator<ObjectRef<Integer>> values = stream.iterator();
      assertThat(values.next().get()).isEqualTo(0);
      assertThat(values.next().get()).isEqualTo(1);
      gate.awaitArrivals(1);

      Thread.startVirtualThread(gate::open);

      assertThat(values.hasNext()).isTrue();
      assertThat(values.next().get()).isEqualTo(2);
      assertThat(values.hasNext()).isFalse();
    }
  }

  @Test
  @Semantics("2.streams.appear")
  void stream_argumentsByReference_arrive() {
    ObjectRef<Integer> five = Aktis.task(() -> 5).remote();

    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::range, five).remote()) {
      assertThat(drain(stream)).hasSize(5);
    }
  }

  @Test
  @Semantics("2.streams.appear")
  void stream_referencesPassedToTasks_workBeforeTheStreamEnds() {
    int sum = 0;
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::range, 100).remote()) {
      for (ObjectRef<Integer> value : stream) {
        sum += Aktis.task(Integer::sum, value, 1).remote().get();
      }
    }
    assertThat(sum).isEqualTo(100 * 101 / 2);
  }

  @Test
  @Semantics("2.streams.bounded")
  void stream_notConsumed_holdsTheProducerBackAtSixteen() {
    assertProducerStopsAt(DEFAULT_BUFFER, notes -> Aktis.stream(StreamTest::endless, notes));
  }

  @Test
  @Semantics("2.streams.bounded")
  void stream_ownBuffer_holdsTheProducerBackThere() {
    assertProducerStopsAt(3, notes -> Aktis.stream(StreamTest::endless, notes).buffer(3));
  }

  private static void assertProducerStopsAt(int buffer, Function<Notes, StreamCall<Integer>> call) {
    Notes made = Notes.empty();
    try (ObjectRefStream<Integer> stream = call.apply(made).remote()) {
      Iterator<ObjectRef<Integer>> values = stream.iterator();
      made.awaitCount(buffer);
      // Unrelated work passes while the producer could run ahead, if it did.
      for (int i = 0; i < 100; i++) {
        Aktis.task(() -> 1).cpus(0).remote().get();
      }
      // The value that waits for room has been made as well.
      assertThat(made.count()).isBetween(buffer, buffer + 1);

      for (int i = 0; i < 2 * buffer; i++) {
        assertThat(values.next().get()).isEqualTo(i);
      }
      made.awaitCount(3 * buffer);
      assertThat(made.count()).isBetween(3 * buffer, 3 * buffer + 1);
    }
  }

  @Test
  @Semantics("2.streams.failure")
  void stream_producerThatFails_failsAfterItsValues() {
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::failAtThree).remote()) {
      Iterator<ObjectRef<Integer>> values = stream.iterator();
      for (int i = 0; i < 3; i++) {
        assertThat(values.next().get()).isEqualTo(i);
      }

      assertThatThrownBy(values::hasNext)
          .isInstanceOf(TaskFailedException.class)
          .hasRootCauseMessage("at three");
      assertThatThrownBy(stream.completion()::get).isInstanceOf(TaskFailedException.class);
    }
  }

  @Test
  @Semantics("2.streams.failure")
  void stream_producerThatFailsAtOnce_fails() {
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::failInsteadOfStream).remote()) {
      assertThatThrownBy(stream.iterator()::hasNext).hasRootCauseMessage("no stream");
    }
  }

  @Test
  @Semantics("2.streams.retry")
  void stream_producerThatIsRetried_givesEveryValueOnce() {
    try (ObjectRefStream<Integer> stream =
        Aktis.stream(StreamTest::failAtThreeAtFirst).retryOn(IOException.class).remote()) {
      assertThat(drain(stream)).containsExactly(0, 1, 2, 3, 4, 5);
    }
  }

  @Test
  @Semantics("2.streams.close")
  void close_producerHeldBack_endsItAndFreesEverything(AktisSession session) {
    Notes made = Notes.empty();
    ObjectRefStream<byte[]> stream = Aktis.stream(StreamTest::bigChunks, made).remote();
    made.awaitCount(DEFAULT_BUFFER);

    stream.close();
    stream.close();

    Await.until("the CPU to be back", () -> session.cluster().available("CPU") == 2);
    Await.until(
        "the store to be empty", () -> session.cluster().nodes().getFirst().storeUsedBytes() == 0);
    assertThatThrownBy(stream.completion()::get).isInstanceOf(TaskCancelledException.class);
  }

  @Test
  @Semantics("2.streams.close")
  void close_producerThatWaits_interruptsIt(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::gateBeforeTwo, gate).remote();
    gate.awaitArrivals(1);

    stream.close();

    Await.until("the CPU to be back", () -> session.cluster().available("CPU") == 2);
  }

  @Test
  @Semantics("2.streams.close")
  void close_afterItsCompletionWasClosed_endsTheProducer(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::gateBeforeTwo, gate).remote();
    gate.awaitArrivals(1);
    stream.completion().close();

    stream.close();

    Await.until("the CPU to be back", () -> session.cluster().available("CPU") == 2);
  }

  @Test
  @Semantics("2.streams.close")
  void close_whileAnotherThreadIterates_endsTheIteration() throws InterruptedException {
    Gate gate = Gate.closed();
    Notes outcome = Notes.empty();
    ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::gateBeforeTwo, gate).remote();
    Thread reader = Thread.startVirtualThread(() -> drainAndTell(stream, outcome));
    gate.awaitArrivals(1);

    stream.close();

    reader.join();
    assertThat(outcome.lines()).containsExactly("TaskCancelledException");
  }

  @Test
  @Semantics("2.streams.once")
  void iterator_aSecondTime_isAnError() {
    try (ObjectRefStream<Integer> stream = Aktis.stream(StreamTest::range, 3).remote()) {
      assertThat(stream.iterator()).isNotNull();
      assertThatThrownBy(stream::iterator).isInstanceOf(IllegalStateException.class);
    }
  }

  private static List<Integer> drain(ObjectRefStream<Integer> stream) {
    List<Integer> values = new ArrayList<>();
    stream.forEach(ref -> values.add(ref.get()));
    return values;
  }

  private static void drainAndTell(ObjectRefStream<Integer> stream, Notes outcome) {
    try {
      drain(stream);
      outcome.add("ended");
    } catch (RuntimeException e) {
      outcome.add(e.getClass().getSimpleName());
    }
  }

  static Stream<Integer> range(int end) {
    return IntStream.range(0, end).boxed();
  }

  static Stream<Integer> endless(Notes made) {
    return IntStream.iterate(0, i -> i + 1).peek(i -> made.add("made " + i)).boxed();
  }

  static Stream<Integer> gateBeforeTwo(Gate gate) {
    return IntStream.range(0, 3).peek(i -> passAt(i == 2, gate)).boxed();
  }

  private static void passAt(boolean here, Gate gate) {
    try {
      if (here) {
        gate.pass();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static Stream<Integer> failAtThree() {
    return range(10).peek(StreamTest::failIfThree);
  }

  private static void failIfThree(int i) {
    if (i == 3) {
      throw new IllegalStateException("at three");
    }
  }

  static Stream<Integer> failInsteadOfStream() {
    throw new IllegalStateException("no stream");
  }

  static Stream<Integer> failAtThreeAtFirst() {
    boolean first = Aktis.context().attempt() == 1;
    return range(6)
        .peek(i -> {
          if (first && i == 3) {
            sneak(new IOException("at three"));
          }
        });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  static Stream<byte[]> bigChunks(Notes made) {
    return Stream.generate(() -> new byte[200_000]).peek(_ -> made.add("made"));
  }
}
