package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.rpc.HostPort;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ClusterAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:6380,127.0.0.1,6380,127.0.0.1:6380",
    "aktis://node-1:1,node-1,1,node-1:1",
    "[::1]:65535,::1,65535,[::1]:65535",
    "aktis://[fe80::1%eth0]:6380,fe80::1%eth0,6380,[fe80::1%eth0]:6380"
  })
  void text_ofAnAddress_isRead(String text, String host, int port, String printed) {
    assertThat(ClusterAddress.parse(text)).isEqualTo(new HostPort(host, port)).hasToString(printed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "host",
        "host:",
        ":6380",
        "host:0",
        "host:65536",
        "host:x",
        "::1:6380",
        "[]:1",
        "http://host:6380",
        "local",
        "host:-1",
        " :1"
      })
  void text_ofSomethingElse_isRefused(String text) {
    assertThatThrownBy(() -> ClusterAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "' is not an address; write HOST:PORT");
  }
}
