package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.TaskFailedException;
import io.aktis.TimeoutException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parallel map. */
@EngineTest(cpus = 2)
class MapTest {
  @Test
  @Semantics("2.map.order")
  void map_manyItems_keepsTheirOrder() {
    List<Integer> items = IntStream.range(0, 10_000).boxed().toList();

    assertThat(Aktis.map(items, i -> i * 2).get())
        .isEqualTo(items.stream().map(i -> i * 2).toList());
  }

  @Test
  @Semantics("2.map.order")
  void map_noItems_givesNothing() {
    assertThat(Aktis.map(List.<Integer>of(), i -> i * 2).get()).isEmpty();
  }

  @Test
  @Semantics("2.map.order")
  void map_itemsChangedAfterwards_mapsWhatWasGiven() {
    List<Integer> items = new ArrayList<>(List.of(1, 2));
    var call = Aktis.map(items, i -> i);

    items.add(3);

    assertThat(call.get()).containsExactly(1, 2);
  }

  @Test
  @Semantics("2.map.batches")
  void map_tinyItems_travelInFewBatches() {
    List<Integer> items = IntStream.range(0, 100_000).boxed().toList();

    Set<String> tasks = new HashSet<>(Aktis.map(items, _ -> Aktis.context().taskId()).get());

    assertThat(tasks).hasSizeLessThan(5_000);
  }

  @Test
  @Semantics("2.map.batches")
  void map_fewLongItems_runAtTheSameTime() {
    Gate gate = Gate.closed();
    Thread.startVirtualThread(() -> openAfterTwo(gate));

    List<Integer> results = Aktis.map(List.of(1, 2), i -> TaskTest.afterGate(gate, i)).get();

    assertThat(results).containsExactly(1, 2);
  }

  @Test
  @Semantics("2.map.options")
  void map_batchSize_isKept() {
    List<Integer> items = IntStream.range(0, 100).boxed().toList();

    assertThat(new HashSet<>(Aktis.map(items, _ -> Aktis.context().taskId()).batchSize(1).get()))
        .hasSize(100);
    assertThat(new HashSet<>(Aktis.map(items, _ -> Aktis.context().taskId()).batchSize(50).get()))
        .hasSize(2);
  }

  @Test
  @Semantics("2.map.options")
  void map_options_holdInEachBatch() {
    assertThat(
            Aktis.map(List.of(1, 2, 3), _ -> Aktis.context().resources().get("CPU"))
                .cpus(0.5)
                .get())
        .containsOnly(0.5);
    assertThat(Aktis.map(List.of(1), _ -> Aktis.context().taskName()).named("mill").get())
        .containsExactly("mill");
  }

  @Test
  @Semantics("2.map.failure")
  void map_oneItemFails_throwsItAndCancelsTheRest() {
    Notes runs = Notes.empty();
    Gate gate = Gate.closed();
    List<Integer> items = IntStream.range(0, 1_000).boxed().toList();

    assertThatThrownBy(() -> Aktis.map(items, i -> failAtTen(i, runs, gate)).batchSize(1).get())
        .isInstanceOf(TaskFailedException.class)
        .hasCauseInstanceOf(IllegalArgumentException.class)
        .hasRootCauseMessage("ten");
    assertThat(Aktis.task(() -> 1).remote().get()).isEqualTo(1);
    assertThat(runs.count()).isLessThan(1_000);
  }

  @Test
  @Semantics("2.map.timeout")
  void map_notDoneInTime_isCancelled() {
    Gate gate = Gate.closed();

    assertThatThrownBy(() ->
            Aktis.map(List.of(1, 2, 3), i -> TaskTest.afterGate(gate, i))
                .get(Duration.ofMillis(100)))
        .isInstanceOf(TimeoutException.class);
    assertThat(Aktis.task(() -> 1).cpus(2).remote().get()).isEqualTo(1);
  }

  @Test
  @Semantics("2.map.progress")
  void map_withProgress_givesTheSameResults() {
    assertThat(Aktis.map(List.of(1, 2, 3), i -> i + 1).progress("items").get())
        .containsExactly(2, 3, 4);
  }

  @Test
  @Semantics("2.blocked.cpu")
  void map_inATaskOnAFullMachine_finishes() {
    assertThat(
            Aktis.task(() -> Aktis.map(List.of(1, 2, 3), i -> i + 1).get()).cpus(2).remote().get())
        .containsExactly(2, 3, 4);
  }

  private static void openAfterTwo(Gate gate) {
    gate.awaitArrivals(2);
    gate.open();
  }

  static int failAtTen(int i, Notes runs, Gate gate) throws InterruptedException {
    runs.add("ran " + i);
    if (i == 10) {
      throw new IllegalArgumentException("ten");
    }
    if (i > 10) {
      gate.pass();
    }
    return i;
  }
}
