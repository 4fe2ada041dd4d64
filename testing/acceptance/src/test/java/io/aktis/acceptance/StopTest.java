package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The end of a cluster, whatever runs on it. */
final class StopTest {
  @Test
  void stop_whileADriverIsAtWork_leavesNothing() {
    try (RealCluster cluster = RealCluster.start(2, 2);
        Program driver =
            cluster
                .machine()
                .startDriver(Drivers.Busy.class, Notes.in(cluster.machine(), "busy").path())) {
      driver.awaitLine("busy");

      cluster.stop(1);

      assertThat(driver.awaitEnd().exitCode()).isNotZero();
    }
  }
}
