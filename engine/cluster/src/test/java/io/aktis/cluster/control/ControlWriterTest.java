package io.aktis.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.SortedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a head writes without waiting. */
@Timeout(60)
class ControlWriterTest {
  private final Moody store = new Moody();
  private final CountDownLatch fenced = new CountDownLatch(1);
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** A store that does not work when the test says so. */
  private static final class Moody implements ControlStore {
    private final MemoryControlStore store = new MemoryControlStore(true);
    private volatile boolean broken;

    /** A permit for each call that failed. */
    private final java.util.concurrent.Semaphore failures = new java.util.concurrent.Semaphore(0);

    private void mood() throws IOException {
      if (broken) {
        failures.release();
        throw new IOException("it is not well");
      }
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public String session(String proposed) {
      return store.session(proposed);
    }

    @Override
    public long epoch() throws IOException {
      mood();
      return store.epoch();
    }

    @Override
    public SortedMap<String, ByteString> read(String table) {
      return store.read(table);
    }

    @Override
    public boolean claim(long seen, ControlBatch batch) {
      return store.claim(seen, batch);
    }

    @Override
    public void write(long epoch, ControlBatch batch) throws IOException {
      mood();
      store.write(epoch, batch);
    }

    @Override
    public void close() {}
  }

  private ControlWriter begin() {
    store.claim(store.store.epoch(), new ControlBatch());
    return new ControlWriter(store, store.store.epoch(), fenced::countDown);
  }

  private static ControlBatch put(String key, String value) {
    return new ControlBatch().put("jobs", key, ByteString.copyFromUtf8(value));
  }

  private String value(String key) {
    ByteString value = store.read("jobs").get(key);
    return value == null ? "none" : value.toStringUtf8();
  }

  private String answer() throws InterruptedException {
    return String.valueOf(answers.poll(30, TimeUnit.SECONDS));
  }

  @Test
  void changes_areWrittenInTheirOrder() throws Exception {
    try (ControlWriter writer = begin()) {
      for (int i = 0; i < 1_000; i++) {
        writer.keep(put("a", Integer.toString(i)));
      }
      writer.keep(new ControlBatch().delete("jobs", "b"));
      writer.tryWrite(put("c", "1"), answers::add);
      assertThat(answer()).isEmpty();
    }

    assertThat(value("a")).isEqualTo("999");
    assertThat(value("c")).isEqualTo("1");
  }

  @Test
  void store_thatDoesNotWork_refusesTriesAndGetsTheRestLater() throws Exception {
    try (ControlWriter writer = begin()) {
      store.broken = true;
      writer.keep(put("a", "1").put("jobs", "b", ByteString.copyFromUtf8("1")));
      writer.tryWrite(put("c", "1"), answers::add);
      assertThat(answer()).isEqualTo("it is not well");
      assertThat(store.failures.tryAcquire(2, 30, TimeUnit.SECONDS)).isTrue();
      writer.keep(put("a", "2"));
      store.broken = false;
      writer.tryWrite(put("d", "1"), answers::add);
      assertThat(answer()).isEmpty();
    }

    assertThat(value("a")).isEqualTo("2");
    assertThat(value("b")).isEqualTo("1");
    assertThat(value("c")).isEqualTo("none");
    assertThat(value("d")).isEqualTo("1");
    assertThat(fenced.getCount()).isOne();
  }

  @Test
  void writer_ofAnEarlierHead_saysSoAndWritesNoMore() throws Exception {
    try (ControlWriter writer = begin()) {
      store.claim(1, new ControlBatch());

      writer.tryWrite(put("a", "1"), answers::add);
      assertThat(answer()).contains("cannot write any more");
      assertThat(fenced.await(30, TimeUnit.SECONDS)).isTrue();
      writer.keep(put("a", "1"));
      writer.tryWrite(put("a", "1"), answers::add);
      assertThat(answer()).isEqualTo("this node is not the head any more");
    }

    assertThat(value("a")).isEqualTo("none");
  }

  @Test
  void writer_thatHasNothingToWrite_findsOutThatThereIsALaterHead() throws Exception {
    try (ControlWriter _ = begin()) {
      store.claim(1, new ControlBatch());

      assertThat(fenced.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
