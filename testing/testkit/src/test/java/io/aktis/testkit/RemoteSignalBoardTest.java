package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.testkit.BoardMessage.Reply;
import io.aktis.testkit.BoardMessage.Request;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

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

  /** Uses the board first on a virtual thread, which nothing else can take the place of. */
  static final class OnAVirtualThread {
    static void main() throws InterruptedException {
      Thread.startVirtualThread(() -> new Notes("n").add("from a virtual thread")).join();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void current_firstUsedByAVirtualThread_isThereThoughConnectingTakesTime() throws Exception {
    try (ServerSocket slow = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket first = new Socket(slow.getInetAddress(), slow.getLocalPort());
        Socket second = new Socket(slow.getInetAddress(), slow.getLocalPort())) {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djdk.virtualThreadScheduler.parallelism=1",
                  "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                  "-D" + SignalServer.PROPERTY + "=127.0.0.1:" + slow.getLocalPort(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  OnAVirtualThread.class.getName())
              .inheritIO()
              .start();
      try {
        Await.until("somebody to wait for room", () -> isConnecting(slow.getLocalPort()));
        assertThat(List.of(first, second)).allMatch(Socket::isConnected);
        slow.accept().close();
        slow.accept().close();

        slow.setSoTimeout(10_000);
        try (Socket third = slow.accept()) {
          third.setSoTimeout(10_000);
          Request request = Request.read(new DataInputStream(third.getInputStream()));
          assertThat(request.argument()).isEqualTo("from a virtual thread");
          new Reply(request.number(), List.of())
              .write(new DataOutputStream(third.getOutputStream()));
          assertThat(process.waitFor(10, TimeUnit.SECONDS)).as("it ends").isTrue();
        }
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** Whether the kernel has a connection to that port which is asked for, and not made. */
  private static boolean isConnecting(int port) {
    String entry = String.format("0100007F:%04X 02 ", port);
    try {
      return Files.readString(Path.of("/proc/self/net/tcp")).contains(entry)
          || Files.readString(Path.of("/proc/self/net/tcp6")).contains(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
