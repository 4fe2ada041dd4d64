package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LastOfTest {
  private final List<Cell> cells = Stream.generate(Cell::new).limit(100).toList();
  private final CompletableFuture<LastOf> made = new CompletableFuture<>();
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  @Test
  void await_endsWithTheLast() throws Exception {
    start(Long.MAX_VALUE);
    cells.subList(0, 99).forEach(CellTest::settle);
    assertThat(over).isNotDone();
    CellTest.settle(cells.getLast());
    assertThat(over.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_endsWithAFailureOfAnyOther() throws Exception {
    LastOf wait = start(Long.MAX_VALUE);
    cells.get(17).settle(Outcome.Failure.of(FailureKind.TASK_FAILED, "it failed"));
    wait.failed();
    assertThat(over.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_endsWithAFailureThatWasThereBefore() throws Exception {
    cells.get(17).settle(Outcome.Failure.of(FailureKind.TASK_FAILED, "it failed"));
    run(Long.MAX_VALUE);
    assertThat(over.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_doesNotEndWithFailuresOfOthers() throws Exception {
    LastOf wait = start(Long.MAX_VALUE);
    for (int i = 0; i < 1_000; i++) {
      wait.failed();
    }
    assertThat(over).isNotDone();
    CellTest.settle(cells.getLast());
    assertThat(over.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_endsWithTheDeadline() throws Exception {
    run(System.nanoTime() + 1_000_000);
    assertThat(over.get(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void await_ofAThreadThatIsInterrupted_throws() throws Exception {
    Thread thread = run(Long.MAX_VALUE);
    made.get(20, TimeUnit.SECONDS);
    thread.interrupt();
    assertThat(over.handle((ended, thrown) -> thrown).get(20, TimeUnit.SECONDS))
        .isInstanceOf(InterruptedException.class);
  }

  private LastOf start(long deadlineNanos) throws Exception {
    CellTest.awaitParked(run(deadlineNanos));
    return made.get(20, TimeUnit.SECONDS);
  }

  private Thread run(long deadlineNanos) {
    return Thread.ofPlatform()
        .start(() -> {
          try {
            LastOf wait = new LastOf(cells);
            made.complete(wait);
            wait.await(deadlineNanos);
            over.complete(true);
          } catch (Throwable thrown) {
            over.completeExceptionally(thrown);
          }
        });
  }
}
