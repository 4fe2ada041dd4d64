package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost:1", "10.0.0.1:65535", "[fe80::1]:7000"})
  void parse_ofHostAndPort_printsAsItCame(String text) {
    assertThat(HostPort.parse("it", text).toString()).isEqualTo(text);
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
        "a:-1"
      })
  void parse_ofAnythingElse_saysWhatItShouldBe(String text) {
    assertThatThrownBy(() -> HostPort.parse("the seed", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the seed must be HOST:PORT with a port of 1 to 65535, not '" + text + "'");
  }

  @Test
  void host_ofIpv6_getsItsBrackets() {
    assertThat(new HostPort("::1", 7000)).isEqualTo(HostPort.parse("it", "[::1]:7000"));
  }
}
