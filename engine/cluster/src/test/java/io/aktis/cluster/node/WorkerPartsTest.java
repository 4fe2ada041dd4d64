package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.tls.TlsFiles;
import io.aktis.wire.message.LogLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small parts around a worker process. */
class WorkerPartsTest {
  @TempDir Path dir;

  private static List<String> lines(byte[] printed) throws IOException {
    List<String> lines = new ArrayList<>();
    new LinePump(lines::add).run(new ByteArrayInputStream(printed));
    return lines;
  }

  @Test
  void output_isCutIntoLines() throws IOException {
    byte[] printed = "one\r\n\nthr\u00e9e\nrest".getBytes(StandardCharsets.UTF_8);

    assertThat(lines(printed)).containsExactly("one", "", "thr\u00e9e", "rest");
    assertThat(lines(new byte[0])).isEmpty();
  }

  @Test
  void output_withoutLineEnds_isCutAtALimit() throws IOException {
    byte[] printed = "x".repeat(3 * LinePump.MAX_LINE_BYTES + 5).getBytes(StandardCharsets.UTF_8);

    assertThat(lines(printed)).extracting(String::length).last().isEqualTo(5);
    assertThat(lines(printed)).hasSize(4);
  }

  @Test
  void log_whenItIsFull_keepsOneFileBefore() throws IOException {
    Path file = dir.resolve("worker.log");
    try (WorkerLog log = new WorkerLog(file, 10)) {
      for (String line : List.of("aaaa", "bbbb", "cccc", "dddd", "eeee")) {
        log.write(line);
      }
      log.write("a line that is longer than the file");
    }

    assertThat(Files.readString(file)).isEqualTo("a line that is longer than the file\n");
    assertThat(Files.readString(dir.resolve("worker.log.1"))).isEqualTo("eeee\n");
    try (var files = Files.list(dir)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void log_thatCannotBeWritten_losesLinesAndNothingElse() throws IOException {
    Path directory = Files.createDirectory(dir.resolve("taken"));
    try (WorkerLog log = new WorkerLog(directory, 10)) {
      log.write("one");
      log.write("two");
    }
    assertThat(directory).isEmptyDirectory();
  }

  private static LogRelay.Line line(long pid, boolean error, String text) {
    return new LogRelay.Line("w", pid, error, text);
  }

  @Test
  void relay_ofLines_batchesThoseOfOneStreamInOrder() {
    List<String> woken = new ArrayList<>();
    LogRelay relay = new LogRelay(() -> woken.add("woken"));
    relay.add(line(1, false, "a"));
    relay.add(line(1, false, "b"));
    relay.add(line(1, true, "c"));
    relay.add(line(2, true, "d"));

    assertThat(relay.poll().getLinesList()).containsExactly("a", "b");
    assertThat(relay.poll().getLinesList()).containsExactly("c");
    assertThat(relay.poll().getPid()).isEqualTo(2);
    assertThat(relay.poll()).isNull();
    assertThat(woken).hasSize(1);
    relay.add(line(1, false, "e"));
    assertThat(woken).hasSize(2);
  }

  @Test
  void relay_whenTheOwnerIsSlow_dropsAndSaysHowMany() {
    LogRelay relay = new LogRelay(() -> {});
    for (int i = 0; i < LogRelay.MAX_LINES + 7; i++) {
      relay.add(line(1, false, "line " + i));
    }

    List<String> all = new ArrayList<>();
    for (LogLines batch = relay.poll(); batch != null; batch = relay.poll()) {
      all.addAll(batch.getLinesList());
    }
    assertThat(all).hasSize(LogRelay.MAX_LINES + 1);
    assertThat(all.getLast()).contains("7 more lines");
    relay.add(line(1, false, "next"));
    assertThat(relay.poll().getLinesList()).containsExactly("next");
  }

  private WorkerSettings settings(Optional<TlsFiles> tls) {
    List<Path> code = List.of(Path.of("/a b/x.jar"), Path.of("/c=d:e.jar"));
    return new WorkerSettings(
        "w1-ab",
        "[::1]:6380",
        "host:6380",
        "t\u00f6ken",
        "s",
        -5,
        code,
        "::1",
        "host",
        dir,
        "",
        dir.resolve("started"),
        tls);
  }

  @Test
  void settings_whenWritten_areReadAgainByTheirUserAlone() throws IOException {
    Path file = dir.resolve("settings");
    WorkerSettings settings = settings(Optional.empty());
    settings.write(file);

    assertThat(WorkerSettings.read(file)).isEqualTo(settings);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(settings.toString()).doesNotContain("ken");
    assertThatThrownBy(() -> settings.write(file)).isInstanceOf(IOException.class);

    WorkerSettings encrypted = settings(Optional.of(TlsFiles.in(dir.resolve("tls"))));
    encrypted.write(dir.resolve("encrypted"));
    assertThat(WorkerSettings.read(dir.resolve("encrypted"))).isEqualTo(encrypted);
  }

  @Test
  void settings_thatLackSomething_areRefusedNamingIt() throws IOException {
    Path file = Files.writeString(dir.resolve("settings"), "code.count=0\n");

    assertThatThrownBy(() -> WorkerSettings.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("worker.id is missing");
  }

  @Test
  void loop_doesTasksAndTimersInOrder() throws Exception {
    List<String> done = new ArrayList<>();
    CompletableFuture<Void> last = new CompletableFuture<>();
    try (NodeLoop loop = new NodeLoop("test-loop", last::completeExceptionally)) {
      loop.post(() -> {
        loop.schedule(
            20,
            () -> {
              done.add("later");
              last.complete(null);
            });
        loop.schedule(0, () -> done.add("soon"));
      });
      loop.start(() -> done.add("after"));
      last.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    }
    assertThat(done).containsSubsequence("after", "soon", "after", "later", "after");
  }

  @Test
  void loop_whoseTaskFails_saysSoAndDoesNothingMore() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    List<String> done = new ArrayList<>();
    try (NodeLoop loop = new NodeLoop("test-loop", failure::complete)) {
      loop.post(() -> {
        throw new IllegalStateException("broken");
      });
      loop.post(() -> done.add("more"));
      loop.start(() -> {});
      assertThat(failure.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS)).hasMessage("broken");
    }
    assertThat(done).isEmpty();
  }
}
