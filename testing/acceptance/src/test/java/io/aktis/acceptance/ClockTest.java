package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine whose clock is set back or forward while a cluster works. */
final class ClockTest {
  /**
   * Works until the clock is set, here and in a worker, and then on; says how late a timeout was.
   */
  private static final String PROGRAM =
      """
      import io.aktis.Aktis;
      import io.aktis.ObjectRef;

      class Tally {
        int value;
        int add(int n) { return value += n; }
      }

      static long hours() { // between the clock that can be set and the one that cannot
        return (System.currentTimeMillis() - System.nanoTime() / 1_000_000) / 3_600_000;
      }

      static long there() {
        return Aktis.task(() -> hours()).remote().get();
      }

      void main() throws Exception {
        try (var session = Aktis.init(); var tally = Aktis.actor(Tally::new).cpus(0).remote()) {
          long here = hours();
          long there = there();
          int rounds = 0;
          for (int after = 0; after < 3; after += hours() != here && there() != there ? 1 : 0) {
            int sum = 0;
            for (int part : Aktis.get(IntStream.range(0, 50)
                .mapToObj(i -> Aktis.task(Math::addExact, i, 1).spread().remote()).toList())) {
              sum += part;
            }
            if (sum != 1275 || tally.call(Tally::add, 1).get() != ++rounds) {
              throw new AssertionError("wrong in round " + rounds);
            }
            if (rounds == 1) {
              IO.println("it works");
            }
          }
          ObjectRef<Void> endless = Aktis.run(() -> new CountDownLatch(1).await()).remote();
          long start = System.nanoTime();
          try {
            endless.get(Duration.ofMillis(200));
          } catch (io.aktis.TimeoutException e) {
            IO.println("waited for " + ((System.nanoTime() - start) / 1_000_000 / 10_000) + " times 10 s");
          }
          endless.cancel();
        }
        IO.println("done");
      }
      """;

  @TempDir private Path folder;

  @BeforeAll
  static void need() {
    assumeTrue(FakeClock.obstacle().isEmpty(), FakeClock.obstacle());
  }

  @Test
  void cluster_whoseClockIsSet_worksOnAndLosesNobody() throws IOException {
    FakeClock clock = FakeClock.in(folder);
    Path program = Files.writeString(folder.resolve("Works.java"), PROGRAM);
    try (RealCluster cluster = RealCluster.startOn(clock.machine(), 2, 1)) {
      for (int hours : new int[] {-2, 72, -9_000, 0}) {
        try (Program works =
            cluster.machine().startAktis(Map.of(), "run", "--address", "auto", "" + program)) {
          works.awaitLine("it works");
          clock.set(Duration.ofHours(hours));
          Program.Result result = works.awaitEnd();
          assertThat(result.exitCode()).as(hours + " h: " + result.text()).isZero();
          assertThat(result.out()).contains("waited for 0 times 10 s", "done");
        }
        assertThat((List<?>) cluster.status().get("nodes"))
            .hasSize(2)
            .allSatisfy(node -> assertThat(((Map<?, ?>) node).get("alive")).isEqualTo(true));
      }
    }
  }
}
