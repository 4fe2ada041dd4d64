package io.aktis.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Lives of a whole cluster from many seeds. {@code -Daktis.seeds=10000} lives more of them, {@code
 * -Daktis.seed=N} starts from another one; a life that breaks a rule tells its seed.
 */
class SimulationTest {
  /** What many lives have met: else a change has made them harmless. */
  private static final List<String> MET =
      List.of(
          "PeerLost",
          "PeerRestarted",
          "WorkerLost",
          "LeaseEnded",
          "ArgumentLost",
          "Returned",
          "Unsettle",
          "RemakeActor",
          "DeadlockFound",
          "LeaseUnblocked",
          "Withdrawn",
          "StopsWaiting",
          "TellLost",
          "SendCancel",
          "ACTOR_UNAVAILABLE",
          "CANCELLED",
          "GROUP_REMOVED",
          "INFEASIBLE",
          "NODE_DIED",
          "OBJECT_LOST");

  @Test
  void lives_fromManySeeds_breakNoRule() {
    long first = Long.getLong("aktis.seed", 1);
    long count = Long.getLong("aktis.seeds", 300);
    Tally tally = new Tally();
    for (long seed = first; seed < first + count; seed++) {
      tally.add(Simulation.run(seed).tally());
    }
    if (count >= 300) {
      assertThat(MET).allSatisfy(kind -> assertThat(tally.of(kind)).as(kind).isPositive());
    }
  }

  @Test
  void lives_thatOnceBrokeARule_breakNone() throws IOException {
    for (long seed : corpus()) {
      Simulation.run(seed);
    }
  }

  @Test
  void life_livedTwice_isTheSame() {
    assertThat(Simulation.run(7).fingerprint()).isEqualTo(Simulation.run(7).fingerprint());
    assertThat(Simulation.run(7).fingerprint()).isNotEqualTo(Simulation.run(8).fingerprint());
  }

  private static List<Long> corpus() throws IOException {
    try (InputStream corpus = SimulationTest.class.getResourceAsStream("/corpus.txt")) {
      assertThat(corpus).isNotNull();
      return new String(corpus.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> Long.valueOf(line.strip()))
          .toList();
    }
  }
}
