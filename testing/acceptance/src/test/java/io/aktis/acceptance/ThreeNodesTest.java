package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three nodes on one machine, as the first page of the documentation starts them. */
final class ThreeNodesTest {
  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(3, 1);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void status_ofThreeNodes_showsAllWithWhatTheyHave() {
    Map<String, Object> status = cluster.status();

    assertThat(status).containsEntry("session", cluster.nodes().getFirst().session());
    assertThat(status).containsEntry("head", cluster.nodes().getFirst().address());
    assertThat((List<?>) status.get("nodes"))
        .extracting("id", "address", "alive")
        .containsExactlyInAnyOrderElementsOf(
            cluster.nodes().stream()
                .map(node -> org.assertj.core.groups.Tuple.tuple(node.id(), node.address(), true))
                .toList());
    assertThat((List<?>) status.get("nodes")).extracting("total.CPU").containsOnly(1.0);
    assertThat((List<?>) status.get("pending")).isEmpty();
  }

  @Test
  void demo_onThreeNodes_countsAsInOneProcess() {
    String[] demo = {"demo", "--limit", "20000", "--json"};
    String[] onCluster = {"demo", "--limit", "20000", "--json", "--address", "auto"};

    assertThat(Demo.counts(cluster.machine().mustAktis(onCluster)))
        .isEqualTo(Demo.counts(cluster.machine().mustAktis(demo)))
        .containsOnly(2_262);
  }

  @ParameterizedTest
  @EnumSource
  void example_withNothingButTheAddress_givesItsResult(Example example) {
    assertThat(example.run(cluster.machine())).contains(example.result());
  }

  @Test
  void program_thatEndsWell_printsWhatItPrintsAndNothingElse() {
    Program.Result result =
        cluster.machine().aktis("run", "--address", "auto", Example.QUEENS.file().toString(), "6");

    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).contains("4 ways to place 6 queens");
    assertThat(result.err()).isEmpty();
  }

  /** What the demo has counted, in its three ways. */
  static final class Demo {
    private Demo() {}

    static List<Object> counts(String json) {
      Map<String, Object> told = RealCluster.parse(json);
      return List.of(
          ((Map<?, ?>) told.get("sequential")).get("count"),
          ((Map<?, ?>) told.get("chunks")).get("count"),
          ((Map<?, ?>) told.get("microTasks")).get("count"));
    }
  }

  /** The programs in examples/, with a small size. */
  enum Example {
    PRIMES("primes/Primes.java", "100000", "9,592 primes below 100,000"),
    PI("pi/Pi.java", "10", "pi is about 3.1"),
    WORD_COUNT("wordcount/WordCount.java", "5", "100,000 words, 9 different, in 5 files"),
    PARAMETER_SERVER("parameterserver/ParameterServer.java", "50", "weights after 200 steps: ["),
    TUNE("tune/Tune.java", "300", "best of 36 trials: 0.9"),
    QUEENS("queens/Queens.java", "8", "92 ways to place 8 queens"),
    PIPELINE("pipeline/Pipeline.java", "100", "the light was found in 100 of 100 frames"),
    CRAWLER("crawler/Crawler.java", "30", "30 pages visited in ");

    private static final Path FOLDER = Path.of("../../examples").toAbsolutePath().normalize();

    private final String source;
    private final String size;
    private final String result;

    Example(String source, String size, String result) {
      this.source = source;
      this.size = size;
      this.result = result;
    }

    String result() {
      return result;
    }

    Path file() {
      return FOLDER.resolve(source);
    }

    String run(Machine machine) {
      return machine.mustAktis("run", "--address", "auto", file().toString(), size);
    }
  }
}
