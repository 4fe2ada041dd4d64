package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the stores hold, as people see it, and how garbage leaves them. */
final class MemoryTest {
  private static final int MIB = 1 << 20;
  private static RealCluster cluster;

  /** Keeps references in a worker. */
  public static final class Keeper {
    private final List<ObjectRef<byte[]>> kept = new ArrayList<>();

    /** Keeps one more; returns how many there are. */
    public int keep(List<ObjectRef<byte[]>> more) {
      kept.addAll(more);
      return kept.size();
    }

    /** Forgets all of them without closing one. */
    public int forget() {
      kept.clear();
      return 0;
    }
  }

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(2, 2, "--object-store-memory", "64m");
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> objects(String... more) {
    List<String> line = new ArrayList<>(List.of("memory", "--json", "--address"));
    line.add(cluster.nodes().getFirst().address());
    line.addAll(List.of(more));
    Map<String, Object> told =
        RealCluster.parse(cluster.machine().mustAktis(line.toArray(String[]::new)));
    return ((List<Map<String, Object>>) told.get("nodes"))
        .stream()
            .flatMap(node -> ((List<Map<String, Object>>) node.get("objects")).stream())
            .toList();
  }

  @Test
  void memory_ofAnObject_saysWhoHoldsIt() {
    try (AktisSession session = cluster.open()) {
      ObjectRef<byte[]> put = session.put(new byte[8 * MIB]);
      ActorHandle<Keeper> keeper = session.actor(Keeper::new).cpus(0).remote();
      assertThat(keeper.call(Keeper::keep, List.of(put)).get()).isEqualTo(1);

      List<Map<String, Object>> objects = objects();
      assertThat(objects).hasSize(1);
      Map<String, Object> object = objects.getFirst();
      assertThat((Integer) object.get("sizeBytes")).isBetween(8 * MIB, 9 * MIB);
      assertThat(object).containsEntry("state", "SEALED").containsEntry("madeBy", "put");
      Map<?, ?> references = (Map<?, ?>) object.get("references");
      assertThat(references).hasSize(2);
      assertThat(references.get("program")).isEqualTo(1);
      assertThat(put.isReady()).isTrue(); // it is held until here
    }
  }

  @Test
  void store_fullOfGarbage_isEmptiedByTheCollectorsOfTheJob() {
    try (AktisSession session = cluster.open()) {
      // More than memory and disk of the store together; nobody closes a reference.
      for (int i = 0; i < 120; i++) {
        assertThat(session.put(new byte[8 * MIB]).get()).hasSize(8 * MIB);
      }
    }
  }

  @Test
  void memory_withGc_releasesWhatAWorkerForgot() {
    try (AktisSession session = cluster.open()) {
      ActorHandle<Keeper> keeper = session.actor(Keeper::new).cpus(0).remote();
      ObjectRef<byte[]> put = session.put(new byte[8 * MIB]);
      keeper.call(Keeper::keep, List.of(put)).get();
      put.close();
      assertThat(objects()).hasSize(1);

      keeper.call(Keeper::forget).get();

      Await.until(
          "the object to be released",
          Duration.ofSeconds(30),
          () -> objects("--gc").isEmpty(),
          () -> "There is " + objects());
    }
  }
}
