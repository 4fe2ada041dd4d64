package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildProcessTest {
  private static final String MARK = "AKTIS_TEST_CHILD";

  private final String mark = UUID.randomUUID().toString();
  private final Heard heard = new Heard();
  private final ChildProcess child = new ChildProcess("child", MARK + "=" + mark, heard);

  /** What a listener is told; the end of everything completes {@link #end}. */
  private static final class Heard implements ChildProcess.Listener {
    final ConcurrentMap<Boolean, String> printed = new ConcurrentHashMap<>();
    final CountDownLatch printing = new CountDownLatch(1);
    final CompletableFuture<String> end = new CompletableFuture<>();
    volatile long pid;

    @Override
    public void started(long pid) {
      this.pid = pid;
    }

    @Override
    public void read(long pid, boolean error, InputStream output) throws IOException {
      int first = output.read();
      if (first >= 0) {
        printing.countDown();
        String rest = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        printed.put(error, (char) first + rest);
      }
    }

    @Override
    public void failed(String reason) {
      end.complete("failed: " + reason);
    }

    @Override
    public void ended(long pid, int exitCode) {
      end.complete(pid == this.pid ? "code " + exitCode : "another process: " + pid);
    }
  }

  private ProcessBuilder shell(String script) {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", script);
    builder.environment().put(MARK, mark);
    return builder;
  }

  private Thread launched(String script) {
    return Thread.ofVirtual().start(() -> child.launch(() -> shell(script)));
  }

  @Test
  void process_thatEnds_isReadToTheEndBeforeThatIsTold() throws Exception {
    child.launch(() -> shell("echo out; echo problem >&2; exit 7"));

    assertThat(heard.end.get()).isEqualTo("code 7");
    assertThat(heard.printed).containsEntry(false, "out\n").containsEntry(true, "problem\n");
    assertThat(child.isKilled()).isFalse();
    assertThat(child.awaitEnd(0)).isTrue();
  }

  @Test
  void process_whoseCommandCannotBeMade_hasFailed() throws Exception {
    child.launch(() -> {
      throw new IOException("no room for its files");
    });

    assertThat(heard.end.get())
        .startsWith("failed: its process could not be started: ")
        .contains("no room for its files");
    assertThat(heard.pid).isZero();
  }

  @Test
  void process_thatIsNotThere_hasFailed() throws Exception {
    child.launch(() -> new ProcessBuilder("/no/such/command"));

    assertThat(heard.end.get()).contains("/no/such/command");
  }

  @Test
  void process_thatIsKilledBeforeItStarts_neverDoes() throws Exception {
    child.kill();

    child.launch(() -> shell("echo out"));

    assertThat(heard.end.get()).isEqualTo("failed: it was killed before it was started");
    assertThat(heard.printed).isEmpty();
    assertThat(child.isKilled()).isTrue();
  }

  @Test
  void process_thatIsToldToEnd_canDoSoInItsWay() throws Exception {
    Thread launched =
        launched("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.02; done");
    heard.printing.await();

    child.terminate();

    assertThat(heard.end.get(60, TimeUnit.SECONDS)).isEqualTo("code 3");
    assertThat(heard.printed).containsEntry(false, "up\nbye\n");
    assertThat(child.isKilled()).isFalse();
    launched.join();
  }

  @Test
  void process_thatIsKilled_goesWithAllThatItHasStarted() throws Exception {
    Thread launched = launched("sleep 1000 & echo $!; trap '' TERM; wait; wait");
    heard.printing.await();
    assertThat(child.awaitEnd(0)).isFalse();

    child.kill();

    assertThat(heard.end.get(60, TimeUnit.SECONDS)).isEqualTo("code 137");
    assertThat(child.isKilled()).isTrue();
    assertThat(runs(heard.printed.get(false))).isFalse();
    launched.join();
  }

  @Test
  void process_thatLeavesSomethingBehind_isBuriedWithIt() throws Exception {
    child.launch(() -> shell("sleep 1000 >/dev/null 2>&1 & echo $!"));

    assertThat(heard.end.get()).isEqualTo("code 0");
    assertThat(runs(heard.printed.get(false))).isFalse();
  }

  /** One that is dead and that nobody has waited for has no command line any more. */
  private static boolean runs(String printedPid) throws IOException {
    try {
      return !Files.readString(Path.of("/proc", printedPid.strip(), "cmdline")).isEmpty();
    } catch (IOException e) {
      return false; // it is gone, perhaps in this moment
    }
  }
}
