package io.aktis.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every control store does; a subclass for each kind. */
abstract class ControlStoreContract {
  /** Returns a store with what the ones before it in this test have written. */
  abstract ControlStore open() throws IOException;

  /** Ends the store as a crash of its user does, as far as the kind can. */
  abstract void crash(ControlStore store) throws IOException;

  private static ByteString bytes(String text) {
    return ByteString.copyFromUtf8(text);
  }

  private static ControlBatch put(String table, String key, String value) {
    return new ControlBatch().put(table, key, bytes(value));
  }

  @Test
  void store_thatIsNew_isEmpty() throws IOException {
    try (ControlStore store = open()) {
      assertThat(store.epoch()).isZero();
      assertThat(store.session("")).isEmpty();
      assertThat(store.read("jobs")).isEmpty();
    }
  }

  @Test
  void session_isThatOfTheFirstWhoProposedOne() throws IOException {
    try (ControlStore store = open()) {
      assertThat(store.session("abc")).isEqualTo("abc");
      assertThat(store.session("def")).isEqualTo("abc");
      assertThat(store.session("")).isEqualTo("abc");
    }
  }

  @Test
  void batch_isMadeInItsOrderAndSeenAsAWhole() throws IOException {
    try (ControlStore store = open()) {
      assertThat(store.claim(0, new ControlBatch())).isTrue();
      store.write(
          1,
          put("jobs", "b", "1")
              .put("jobs", "a", bytes("2"))
              .put("members", "a", bytes("3"))
              .put("jobs", "c", bytes("4"))
              .delete("jobs", "c")
              .delete("jobs", "never")
              .put("jobs", "b", bytes("5")));

      assertThat(store.read("jobs"))
          .containsExactly(
              java.util.Map.entry("a", bytes("2")), java.util.Map.entry("b", bytes("5")));
      assertThat(store.read("members")).containsOnlyKeys("a");
      assertThat(store.read("job")).as("a table whose name is the beginning").isEmpty();
    }
  }

  @Test
  void value_ofAnyBytes_isReadBack() throws IOException {
    byte[] all = new byte[70_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    try (ControlStore store = open()) {
      store.claim(0, new ControlBatch());
      store.write(
          1,
          new ControlBatch()
              .put("jobs", "all", ByteString.copyFrom(all))
              .put("jobs", "none", ByteString.EMPTY)
              .put("jobs", "ключ / 鍵 1", bytes("ü")));

      assertThat(store.read("jobs").get("all").toByteArray()).isEqualTo(all);
      assertThat(store.read("jobs").get("none")).isEmpty();
      assertThat(store.read("jobs")).containsEntry("ключ / 鍵 1", bytes("ü"));
    }
  }

  @Test
  void claim_beginsTheNextEpochOnceAndWithItsChanges() throws IOException {
    try (ControlStore store = open()) {
      assertThat(store.claim(0, put("head", "head", "one"))).isTrue();
      assertThat(store.epoch()).isEqualTo(1);

      assertThat(store.claim(0, put("head", "head", "two"))).isFalse();
      assertThat(store.claim(2, put("head", "head", "two"))).isFalse();

      assertThat(store.epoch()).isEqualTo(1);
      assertThat(store.read("head")).containsEntry("head", bytes("one"));
    }
  }

  @Test
  void write_ofAnEarlierHead_isRefusedAsAWhole() throws IOException {
    try (ControlStore store = open()) {
      store.claim(0, new ControlBatch());
      store.write(1, put("jobs", "a", "1"));
      store.claim(1, new ControlBatch());

      for (long epoch : new long[] {0, 1, 3}) {
        assertThatThrownBy(
                () -> store.write(epoch, put("jobs", "a", "2").put("jobs", "b", bytes("2"))))
            .isInstanceOf(FencedException.class)
            .hasMessageContaining("the head of epoch " + epoch)
            .hasMessageContaining("in epoch 2");
      }

      assertThat(store.read("jobs")).containsExactly(java.util.Map.entry("a", bytes("1")));
      store.write(2, put("jobs", "a", "3"));
      assertThat(store.read("jobs")).containsEntry("a", bytes("3"));
    }
  }

  @Test
  void claims_atOnce_areWonByOne() throws Exception {
    try (ControlStore store = open();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long epoch = 0; epoch < 10; epoch++) {
        long seen = epoch;
        List<Callable<Boolean>> tries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          String name = "claim-" + i;
          tries.add(() -> store.claim(seen, put("head", name, "1")));
        }
        int won = 0;
        for (Future<Boolean> each : threads.invokeAll(tries)) {
          won += each.get() ? 1 : 0;
        }
        assertThat(won).isEqualTo(1);
        assertThat(store.epoch()).isEqualTo(seen + 1);
      }
    }
  }

  @Test
  void name_thatIsNone_isRefused() {
    assertThatThrownBy(() -> new ControlBatch().put("No", "a", ByteString.EMPTY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'No' is no name of a table");
    assertThatThrownBy(() -> new ControlBatch().delete("jobs", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void store_thatIsOpenedAgainAfterACrash_hasAllThatWasWritten() throws IOException {
    ControlStore first = open();
    first.session("abc");
    first.claim(0, new ControlBatch());
    first.write(1, put("jobs", "a", "1"));
    crash(first);

    try (ControlStore second = open()) {
      assertThat(second.session("other")).isEqualTo("abc");
      assertThat(second.epoch()).isEqualTo(1);
      assertThat(second.read("jobs")).containsEntry("a", bytes("1"));
      assertThat(second.claim(1, new ControlBatch())).isTrue();
    }
  }
}
