package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The session as an executor of the JDK. */
@EngineTest(cpus = 2)
class ExecutorTest {
  private final Gate gate = Gate.closed();

  @Test
  @Semantics("1.executor.service")
  void submit_callableAndRunnable_run() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    ExecutorService executor = Aktis.executor();

    assertThat(executor.submit(() -> 42).get()).isEqualTo(42);
    assertThat(executor.submit(runs::incrementAndGet, "done").get()).isEqualTo("done");
    executor.submit((Runnable) runs::incrementAndGet).get();
    executor.execute(runs::incrementAndGet);

    Await.until("three runs", () -> runs.get() == 3);
  }

  @Test
  @Semantics("1.executor.service")
  void submit_workThatCannotBeSent_runsWithoutACopy() throws Exception {
    List<Thread> notSerializable = new ArrayList<>();

    Aktis.executor().submit(() -> notSerializable.add(Thread.currentThread())).get();

    assertThat(notSerializable).hasSize(1);
  }

  @Test
  @Semantics("1.executor.service")
  void submit_workThatThrows_failsWithWhatItThrew() {
    Future<Object> future =
        Aktis.executor()
            .submit(
                (Callable<Object>)
                    () -> {
                      throw new IOException("on purpose");
                    });

    assertThatThrownBy(future::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("on purpose");
    assertThat(future.state()).isEqualTo(Future.State.FAILED);
  }

  @Test
  @Semantics("1.executor.service")
  void invokeAll_several_keepsTheirOrder() throws Exception {
    List<Callable<Integer>> work =
        IntStream.range(0, 100).mapToObj(i -> (Callable<Integer>) () -> i).toList();

    List<Integer> results = new ArrayList<>();
    for (Future<Integer> future : Aktis.executor().invokeAll(work)) {
      results.add(future.resultNow());
    }

    assertThat(results).isEqualTo(IntStream.range(0, 100).boxed().toList());
  }

  @Test
  @Semantics("1.executor.service")
  void invokeAny_oneSucceeds_givesThat() throws Exception {
    int result =
        Aktis.executor()
            .invokeAny(
                List.of(
                    () -> {
                      throw new IllegalStateException("not this one");
                    },
                    () -> 42));

    assertThat(result).isEqualTo(42);
  }

  @Test
  @Semantics("1.executor.service")
  void cancel_runningWork_interruptsIt(AktisSession session) {
    Future<Boolean> future = Aktis.executor().submit(this::passGate);
    gate.awaitArrivals(1);

    assertThat(future.cancel(true)).isTrue();

    assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
    Await.until("the CPU to be free", () -> session.cluster().available("CPU") == 2);
  }

  @Test
  @Semantics("1.executor.service")
  void get_withTimeout_timesOutLikeAnyFuture() {
    Future<Boolean> future = Aktis.executor().submit(this::passGate);

    assertThatThrownBy(() -> future.get(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }

  @Test
  @Semantics("1.executor.future")
  void supplyAsync_onTheExecutor_completes() throws Exception {
    CompletableFuture<Integer> future =
        CompletableFuture.supplyAsync(() -> 40, Aktis.executor())
            .thenApplyAsync(i -> i + 2, Aktis.executor());

    assertThat(future.get()).isEqualTo(42);
  }

  @Test
  @Semantics("1.executor.resources")
  void submit_moreThanThereAreCpus_runsAsManyAtATime() throws Exception {
    List<Future<Boolean>> futures =
        IntStream.range(0, 5).mapToObj(_ -> Aktis.executor().submit(this::passGate)).toList();
    gate.awaitArrivals(2);
    assertThat(Aktis.task(() -> 1).cpus(0).remote().get()).isEqualTo(1);

    assertThat(gate.arrivals()).isEqualTo(2);
    gate.open();
    for (Future<Boolean> future : futures) {
      assertThat(future.get()).isTrue();
    }
  }

  @Test
  @Semantics("1.executor.resources")
  @OneProcess("code that cannot travel runs in the program, which is not a node")
  void submit_asMuchAsThereAreCpus_takesThemAll(AktisSession session) throws Exception {
    List<Future<Boolean>> futures =
        IntStream.range(0, 2).mapToObj(_ -> Aktis.executor().submit(this::passGate)).toList();
    gate.awaitArrivals(2);

    assertThat(session.cluster().available("CPU")).isZero();
    gate.open();
    for (Future<Boolean> future : futures) {
      assertThat(future.get()).isTrue();
    }
  }

  @Test
  @Semantics("1.executor.shutdown")
  void shutdown_ofTheExecutor_endsThatViewOnly() throws Exception {
    ExecutorService executor = Aktis.executor();
    Future<Boolean> running = executor.submit(this::passGate);
    gate.awaitArrivals(1);

    executor.shutdown();

    assertThat(executor.isShutdown()).isTrue();
    assertThat(executor.isTerminated()).isFalse();
    assertThatThrownBy(() -> executor.submit(() -> 1))
        .isInstanceOf(RejectedExecutionException.class);
    gate.open();
    assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(running.get()).isTrue();
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
    assertThat(Aktis.executor().submit(() -> 42).get()).isEqualTo(42);
  }

  @Test
  @Semantics("1.executor.shutdown")
  void shutdownNow_ofTheExecutor_interruptsItsWork() throws Exception {
    ExecutorService executor = Aktis.executor();
    Future<Boolean> running = executor.submit(this::passGate);
    gate.awaitArrivals(1);

    executor.shutdownNow();

    assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    assertThat(running.isDone()).isTrue();
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("1.executor.shutdown")
  void close_ofTheExecutor_waitsForItsWork() {
    AtomicInteger runs = new AtomicInteger();
    try (ExecutorService executor = Aktis.executor()) {
      for (int i = 0; i < 100; i++) {
        executor.execute(runs::incrementAndGet);
      }
    }
    assertThat(runs).hasValue(100);
  }

  private boolean passGate() throws InterruptedException {
    gate.pass();
    return true;
  }
}
