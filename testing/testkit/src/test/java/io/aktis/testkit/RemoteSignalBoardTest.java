package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RemoteSignalBoardTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SignalBoard board = new MapSignalBoard();
  private final SignalServer server = SignalServer.serve(board);
  private final SignalBoard remote = SignalBoard.at(server.address());

  @AfterEach
  void close() {
    board.releaseAll();
    server.close();
    Await.until("the threads of the connection to end", () -> threads().isEmpty());
  }

  @Test
  void note_fromAfar_isOnTheBoardWhenItReturns() {
    String odd = "ä\n" + "long".repeat(50_000);
    remote.note("n", "first");
    board.note("n", "second");
    remote.note("n", odd);

    assertThat(board.notes("n")).containsExactly("first", "second", odd);
    assertThat(remote.notes("n")).containsExactly("first", "second", odd);
    assertThat(remote.notes("other")).isEmpty();
  }

  @Test
  void awaitOpen_closedGate_waitsUntilItIsOpened() throws Exception {
    remote.addGate("g");
    CompletableFuture<Boolean> passed = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      remote.arrive("g");
      complete(passed, "g");
    });
    Await.until("an arrival", () -> board.arrivals("g") == 1);
    assertThat(remote.arrivals("g")).isEqualTo(1);
    assertThat(passed).isNotDone();

    board.open("g");

    assertThat(passed.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void awaitOpen_nobodyOpens_tellsSoWhenTheTimeIsOver() throws InterruptedException {
    remote.addGate("g");

    assertThat(remote.awaitOpen("g", Duration.ofMillis(10))).isFalse();
    remote.open("g");
    assertThat(remote.awaitOpen("g", MINUTE)).isTrue();
    assertThat(remote.awaitOpen("unknown", MINUTE)).isTrue();
  }

  @Test
  void awaitOpen_interrupted_endsAtOnceAndTheBoardIsStillOfUse() throws Exception {
    remote.addGate("g");
    for (Thread.Builder kind : List.of(Thread.ofVirtual(), Thread.ofPlatform())) {
      CompletableFuture<Boolean> passed = new CompletableFuture<>();
      Thread passer = kind.start(() -> complete(passed, "g"));
      Await.until("a wait", () -> passer.getState() == Thread.State.WAITING);

      passer.interrupt();

      assertThatThrownBy(() -> passed.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(InterruptedException.class);
    }
    remote.note("n", "after");
    assertThat(board.notes("n")).containsExactly("after");
  }

  @Test
  void operations_ofAnInterruptedThread_areCarriedOutAndKeepTheInterrupt() throws Exception {
    List<Boolean> kept = new ArrayList<>();
    for (Thread.Builder kind : List.of(Thread.ofVirtual(), Thread.ofPlatform())) {
      kind.start(
              () -> {
                Thread.currentThread().interrupt();
                remote.note("n", "interrupted");
                remote.arrive("g");
                kept.add(Thread.currentThread().isInterrupted());
              })
          .join();
    }

    assertThat(kept).containsExactly(true, true);
    assertThat(board.notes("n")).containsExactly("interrupted", "interrupted");
  }

  @Test
  void notes_ofManyThreads_allArriveEachInTheOrderOfItsThread() throws InterruptedException {
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < 50; writer++) {
      String notes = "n" + writer;
      writers.add(
          Thread.startVirtualThread(
              () -> IntStream.range(0, 100).forEach(i -> remote.note(notes, "line " + i))));
    }
    for (Thread writer : writers) {
      writer.join();
    }

    List<String> lines = IntStream.range(0, 100).mapToObj(i -> "line " + i).toList();
    for (int writer = 0; writer < 50; writer++) {
      assertThat(board.notes("n" + writer)).isEqualTo(lines);
    }
  }

  @Test
  void releaseAll_fromAfar_opensEveryGate() throws InterruptedException {
    board.addGate("g");

    remote.releaseAll();

    assertThat(board.awaitOpen("g", Duration.ZERO)).isTrue();
  }

  @Test
  void operations_whenTheServerIsGone_areErrorsThatNameIt() throws Exception {
    remote.addGate("g");
    CompletableFuture<Boolean> passed = new CompletableFuture<>();
    Thread.startVirtualThread(() -> complete(passed, "g"));

    server.close();

    assertThatThrownBy(() -> passed.get(10, TimeUnit.SECONDS))
        .hasMessageContaining(server.address());
    assertThatThrownBy(() -> remote.note("n", "late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(server.address());
    assertThatThrownBy(() -> SignalBoard.at(server.address()))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(server.address());
  }

  @Test
  void current_inAProcessThatIsToldTheAddress_isThatBoard() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + SignalServer.PROPERTY + "=" + server.address(),
                "-cp",
                System.getProperty("java.class.path"),
                Elsewhere.class.getName())
            .inheritIO()
            .start();

    assertThat(process.waitFor()).isZero();
    assertThat(board.notes("n")).containsExactly("from elsewhere");
  }

  static final class Elsewhere {
    static void main() {
      new Notes("n").add("from elsewhere");
    }
  }

  private void complete(CompletableFuture<Boolean> passed, String gateId) {
    try {
      passed.complete(remote.awaitOpen(gateId, MINUTE));
    } catch (InterruptedException | RuntimeException e) {
      passed.completeExceptionally(e);
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("testkit-board"))
        .toList();
  }
}
