package io.aktis.cluster.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LinkTest {
  private static final long SECOND_NS = 1_000_000_000;

  @Test
  void bytes_onALinkWithLatencyOnly_arriveTogetherLater() {
    Link link = new Link(new SlowNetwork(Duration.ofMillis(20), SlowNetwork.UNLIMITED), 5);

    assertThat(link.send(1 << 20, 5)).isEqualTo(20_000_005);
    assertThat(link.send(1, 5)).isEqualTo(20_000_005);
    assertThat(link.send(1, 6)).isEqualTo(20_000_006);
  }

  @Test
  void bytes_onANarrowLink_waitForThoseBeforeThem() {
    Link link = new Link(new SlowNetwork(Duration.ofSeconds(1), 1_000), 0);

    assertThat(link.send(500, 0)).isEqualTo(SECOND_NS / 2 + SECOND_NS);
    assertThat(link.send(500, SECOND_NS / 4)).isEqualTo(SECOND_NS + SECOND_NS);
    assertThat(link.send(0, SECOND_NS / 4)).as("the end").isEqualTo(SECOND_NS + SECOND_NS);
    assertThat(link.send(100, 3 * SECOND_NS)).isEqualTo(3 * SECOND_NS + SECOND_NS / 10 + SECOND_NS);
  }

  @Test
  void time_thatOverflows_isNoMatter() {
    long now = Long.MAX_VALUE - 1;
    Link link = new Link(new SlowNetwork(Duration.ZERO, SECOND_NS), now);

    assertThat(link.send(3, now)).isEqualTo(now + 3);
    assertThat(link.send(3, now + 1)).isEqualTo(now + 6);
  }

  @Test
  void network_withValuesThatMakeNoSense_isRefused() {
    assertThatThrownBy(() -> new SlowNetwork(Duration.ofMillis(-1), 1))
        .hasMessageContaining("before they are sent");
    assertThatThrownBy(() -> new SlowNetwork(Duration.ZERO, 0))
        .hasMessageContaining("at least one byte a second");
  }

  @Test
  void network_asOptionsOfAJvm_isReadAgainThere() {
    SlowNetwork network = new SlowNetwork(Duration.ofMillis(7), 12_345);
    assertThat(SlowNetwork.ofThisProcess()).isEmpty();
    try {
      for (String option : network.jvmOptions()) {
        String[] parts = option.substring("-D".length()).split("=");
        System.setProperty(parts[0], parts[1]);
      }
      assertThat(SlowNetwork.ofThisProcess()).contains(network);
      System.setProperty("aktis.network.latency.us", "soon");
      assertThatThrownBy(SlowNetwork::ofThisProcess)
          .hasMessage("the system property aktis.network.latency.us is 'soon', not a number");
    } finally {
      System.clearProperty("aktis.network.latency.us");
      System.clearProperty("aktis.network.bytes.per.second");
    }
  }
}
