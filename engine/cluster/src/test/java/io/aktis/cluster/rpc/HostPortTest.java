package io.aktis.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost:1", "10.0.0.1:65535", "[fe80::1%eth0]:7000"})
  void parse_ofHostAndPort_printsAsItCame(String text) {
    assertThat(HostPort.parse("it", text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        ":7000",
        "localhost:",
        "localhost:0",
        "a:65536",
        "::1:7000",
        "[]:1",
        " :1",
        "http://a:1",
        "a:-1"
      })
  void parse_ofAnythingElse_saysWhatItShouldBe(String text) {
    assertThatThrownBy(() -> HostPort.parse("the seed", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the seed must be HOST:PORT with a port of 1 to 65535, and IPv6 in brackets as in"
                + " [::1]:6380, not '"
                + text
                + "'");
  }

  @Test
  void host_ofIpv6_hasItsBracketsWherePeopleReadIt() {
    HostPort address = new HostPort("[::1]", 7000);

    assertThat(address).isEqualTo(HostPort.parse("it", "[::1]:7000")).hasToString("[::1]:7000");
    assertThat(address.host()).isEqualTo("::1");
    assertThat(HostPort.bracketed(address.host())).isEqualTo("[::1]");
    assertThat(HostPort.join("::1", 0)).isEqualTo("[::1]:0");
    assertThat(HostPort.bracketed("node-1")).isEqualTo("node-1");
  }

  @Test
  void host_thatIsNotThereOrAPortThatIsNone_isRefused() {
    assertThatThrownBy(() -> new HostPort("", 1)).hasMessageContaining("no host and port");
    assertThatThrownBy(() -> new HostPort("a", 0)).hasMessageContaining("a port is 1 to 65535");
  }
}
