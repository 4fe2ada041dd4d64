package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Work for which no worker can be made. */
class ShapeFailedTest {
  private final OwnerBench bench = new OwnerBench();

  @Test
  void shape_whoseWorkerCannotBeMade_failsWhatWaitsAndTakesWhatComesLater() {
    List<Task> tasks = List.of(bench.submit("a"), bench.submit("b"));

    bench.tell(
        new OwnerEvent.ShapeFailed(
            Objects.requireNonNull(tasks.getFirst().shape()),
            Outcome.Failure.of(FailureKind.RUNTIME_ENV, "no such option")));

    assertThat(tasks).allMatch(task -> failureOf(task) == FailureKind.RUNTIME_ENV);
    assertThat(bench.submit("later").machine().isDone()).isFalse();
  }
}
