package io.aktis.cluster.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of what a job prints. */
class JobLogTest {
  @TempDir Path dir;

  private JobLog log(long maxBytes) {
    return new JobLog(dir, maxBytes);
  }

  private static void write(JobLog log, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    log.write(bytes, bytes.length);
  }

  private static String read(JobLog log, long offset) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    JobLog.Part part = log.read(offset, 3, 0);
    while (!part.data().isEmpty()) {
      part.data().writeTo(all);
      part = log.read(part.offset() + part.data().size(), 3, 0);
    }
    return all.toString(US_ASCII);
  }

  @Test
  void log_fromAnyOffset_isReadOn() throws Exception {
    try (JobLog log = log(100)) {
      assertThat(log.read(0, 10, 0).data()).isEmpty();
      write(log, "hello world");

      assertThat(read(log, 0)).isEqualTo("hello world");
      assertThat(read(log, 6)).isEqualTo("world");
      assertThat(log.read(11, 10, 0)).satisfies(part -> assertThat(part.isLast()).isFalse());
      assertThatThrownBy(() -> log.read(12, 10, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("12 is not one of 0 to 11");
    }
  }

  @Test
  void log_thatIsLong_keepsTheEndAndTellsWhereItBegins() throws Exception {
    try (JobLog log = log(20)) {
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 100; i++) {
        write(log, i + ",");
        all.append(i).append(',');
      }

      JobLog.Part part = log.read(0, 100, 0);
      String kept = read(log, 0);

      assertThat(kept).hasSizeBetween(10, 20).isEqualTo(all.substring((int) part.offset()));
      assertThat(sizeOnDisk()).isLessThanOrEqualTo(20);
    }
  }

  @Test
  void log_ofOneLargeWrite_isSplit() throws Exception {
    try (JobLog log = log(20)) {
      write(log, "0123456789".repeat(5));

      assertThat(log.read(0, 100, 0).offset()).isEqualTo(30);
      assertThat(read(log, 35)).isEqualTo("567890123456789");
      assertThat(sizeOnDisk()).isEqualTo(20);
    }
  }

  private long sizeOnDisk() throws IOException {
    try (var files = Files.list(dir)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void reader_whoWaits_isWokenByBytesAndByTheEnd() throws Exception {
    try (JobLog log = log(100)) {
      var waiting = CompletableFuture.supplyAsync(() -> await(log, 0));
      write(log, "x");
      assertThat(waiting.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS).data().size()).isEqualTo(1);

      var last = CompletableFuture.supplyAsync(() -> await(log, 1));
      log.over();
      JobLog.Part part = last.get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
      assertThat(part.isLast()).isTrue();
      assertThat(part.data()).isEmpty();
      assertThat(log.read(0, 10, 0).isLast()).isTrue();
    }
  }

  private static JobLog.Part await(JobLog log, long offset) {
    try {
      return log.read(offset, 10, Await.LIMIT_MS);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void log_thatIsClosed_losesBytesAndCanBeRead() throws Exception {
    JobLog log = log(100);
    write(log, "one");
    log.close();
    log.close();
    write(log, "two");

    assertThat(read(log, 0)).isEqualTo("one");
  }

  @Test
  void log_whoseDiskRefuses_holdsNobodyUp() throws Exception {
    try (JobLog log = new JobLog(dir.resolve("missing"), 100)) {
      write(log, "one");
      write(log, "two");

      log.over();
      assertThat(log.read(0, 10, Await.LIMIT_MS).isLast()).isTrue();
    }
  }

  @Test
  void log_ofADaemonThatIsGone_isReadAtTheSameOffsets() throws Exception {
    assertThat(JobLog.kept(dir.resolve("missing"))).isEmpty();
    JobLog empty = JobLog.kept(dir).orElseThrow();
    assertThat(empty.read(0, 10, Await.LIMIT_MS).isLast()).isTrue();
    write(log(20), "0123456789".repeat(4) + "abc"); // and is not closed

    JobLog kept = JobLog.kept(dir).orElseThrow();

    assertThat(kept.read(0, 100, 0).offset()).isEqualTo(30);
    assertThat(read(kept, 35)).isEqualTo("56789abc");
    assertThat(kept.read(43, 10, Await.LIMIT_MS).isLast()).isTrue();
    assertThatThrownBy(() -> kept.read(44, 10, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void log_ofADaemonThatIsGone_isReadWhenThereIsOneFile() throws Exception {
    write(log(20), "0123");
    Files.createFile(dir.resolve("output-other.log"));

    JobLog kept = JobLog.kept(dir).orElseThrow();

    assertThat(read(kept, 0)).isEqualTo("0123");
    write(kept, "more");
    assertThat(read(kept, 0)).as("nothing is added").isEqualTo("0123");
  }
}
