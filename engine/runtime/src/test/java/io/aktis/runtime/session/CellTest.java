package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.owner.Outcome;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CellTest {
  private static final Outcome ONE = new Outcome.Inline(1, List.of());

  private final Cell cell = new Cell();

  @Test
  void waiter_hearsOfTheOutcomeOnce() {
    List<Cell> heard = new ArrayList<>();
    cell.whenSettled(new Cell.Waiter(heard::add));
    assertThat(heard).isEmpty();
    settle(cell);
    settle(cell);
    assertThat(heard).containsExactly(cell);
  }

  @Test
  void waiter_thatComesLate_hearsAtOnce() {
    settle(cell);
    List<Cell> heard = new ArrayList<>();
    cell.whenSettled(new Cell.Waiter(heard::add));
    assertThat(heard).containsExactly(cell);
  }

  @Test
  void waiter_thatIsCancelled_hearsNothing() {
    List<Cell> heard = new ArrayList<>();
    Cell.Waiter waiter = new Cell.Waiter(heard::add);
    cell.whenSettled(waiter);
    waiter.cancel();
    settle(cell);
    assertThat(heard).isEmpty();
  }

  @Test
  void waiter_whenTheOutcomeWasTakenAwayBeforeTheTelling_hearsOfTheNext() {
    List<Cell> heard = new ArrayList<>();
    cell.whenSettled(new Cell.Waiter(heard::add));
    cell.settle(ONE);
    cell.unsettle();
    cell.tell();
    assertThat(heard).isEmpty();
    settle(cell);
    assertThat(heard).containsExactly(cell);
  }

  @Test
  void await_whenTheOutcomeIsTakenAwayBeforeTheThreadLooks_waitsForTheNext() throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                result.complete(cell.await(Long.MAX_VALUE));
              } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
              }
            });
    awaitParked(thread);
    cell.whenSettled(new Cell.Waiter(Cell::unsettle)); // it came last, so it is told first
    settle(cell);
    assertThat(result).isNotDone();

    settle(cell);
    assertThat(result.get(20, TimeUnit.SECONDS)).isTrue();
    thread.join();
  }

  @Test
  void await_untilADeadline_comesBackWithoutOutcome() throws InterruptedException {
    assertThat(cell.await(System.nanoTime() + 1_000_000)).isFalse();
  }

  @Test
  void await_ofAnInterruptedThread_throws() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> cell.await(Long.MAX_VALUE)).isInstanceOf(InterruptedException.class);
  }

  @Test
  void waiters_thatComeWhileItIsSettled_allHear() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      Cell raced = new Cell();
      CompletableFuture<Boolean> waited =
          CompletableFuture.supplyAsync(() -> awaitIn(raced), Thread::startVirtualThread);
      settle(raced);
      assertThat(waited.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean awaitIn(Cell raced) {
    try {
      return raced.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(15));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static void settle(Cell cell) {
    cell.settle(ONE);
    VarHandle.fullFence();
    cell.tell();
  }

  static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
