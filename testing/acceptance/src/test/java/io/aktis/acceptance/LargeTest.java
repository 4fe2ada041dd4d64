package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.acceptance.Work.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many and large: actors on one node, references, results, bytes. */
final class LargeTest {
  private static final int LONGS_PER_GIB = 1 << 27;

  /** The serial collector keeps a large array in two thirds of the heap. */
  private static final String HEAP = Sizes.LONG ? "-Xmx8g" : "-Xmx3g";

  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster =
        RealCluster.start(
            1,
            2,
            "--object-store-memory",
            Sizes.LONG ? "5g" : "1200m",
            "--worker-jvm-option",
            HEAP);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void actors_thatAreManyOnOneNode_allAnswer() {
    int count = Sizes.of(100, 1_000);
    try (AktisSession session = cluster.open()) {
      List<ActorHandle<Counter>> actors = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        actors.add(session.actor(Counter::new).cpus(0).remote());
      }
      List<ObjectRef<Integer>> sums = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sums.add(actors.get(i).call(Counter::add, i));
      }

      assertThat(session.<Integer>get(sums))
          .containsExactlyElementsOf(IntStream.range(0, count).boxed().toList());
    }
  }

  @Test
  void references_asOneArgument_canAllBeRead() {
    int count = Sizes.of(1_000, 10_000);
    try (AktisSession session = cluster.open()) {
      List<ObjectRef<Integer>> refs = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        refs.add(i % 2 == 0 ? session.put(1) : session.task(Math::addExact, 1, 1).remote());
      }

      assertThat(session.task(LargeTest::sum, refs).remote().get()).isEqualTo(count / 2 * 3L);
    }
  }

  static long sum(List<ObjectRef<Integer>> refs) {
    return Aktis.get(refs).stream().mapToLong(Integer::longValue).sum();
  }

  @Test
  void results_ofOneTask_areAReferenceEach() {
    int count = Sizes.of(300, 3_000);
    try (AktisSession session = cluster.open()) {
      List<ObjectRef<Integer>> refs =
          session.task(LargeTest::numbers, count).returns(count, Integer.class).remote();

      assertThat(session.<Integer>get(refs)).containsExactlyElementsOf(numbers(count));
    }
  }

  static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void value_ofGibibytes_travelsThereAndBack() {
    try (Program driver =
        cluster
            .machine()
            .startDriverWith(
                HEAP, Gibibytes.class, Integer.toString(Sizes.of(1, 4) * LONGS_PER_GIB))) {
      assertThat(driver.awaitSuccess()).contains("last 7", "made " + Sizes.of(1, 4) + " GiB");
    }
  }

  /** Puts a large value, has a task read it, drops it, and reads a large value of a task. */
  static final class Gibibytes {
    private Gibibytes() {}

    static void main(String[] arguments) {
      int count = Integer.parseInt(arguments[0]);
      try (AktisSession session = Aktis.init()) {
        ObjectRef<long[]> put = session.put(numbers(count));
        System.out.println("last " + session.task(Gibibytes::last, put).remote().get());
        put.close();
        long[] made = session.task(Gibibytes::numbers, count).remote().get();
        System.out.println("made " + made.length / LONGS_PER_GIB + " GiB");
      }
    }

    static long[] numbers(int count) {
      long[] numbers = new long[count];
      numbers[count - 1] = 7;
      return numbers;
    }

    static long last(long[] numbers) {
      return numbers[numbers.length - 1];
    }
  }
}
