package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports of {@code aktis start} that cannot be had; nothing is started. */
final class StartPortsTest {
  private static final String HOME = "aktis.home.dir";

  @TempDir private Path folder;

  @BeforeEach
  void useAHomeOfItsOwn() {
    System.setProperty(HOME, folder.resolve("home").toString());
  }

  @AfterEach
  void leaveNothing() {
    System.clearProperty(HOME);
    assertThat(folder.resolve("home/sessions"))
        .satisfiesAnyOf(
            sessions -> assertThat(sessions).doesNotExist(),
            sessions -> assertThat(sessions).isEmptyDirectory());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--port %d", "--port 0 --control-port %d", "--port 0 --data-port %d"})
  void start_onAPortInUse_namesPortAndHost(String ports) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Cli.Result result = start("--head " + ports.formatted(taken.getLocalPort()));

      assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(result.err())
          .startsWith(
              "aktis start: cannot listen on port "
                  + taken.getLocalPort()
                  + " of 127.0.0.1: Address already in use");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--port 0 --control-port %1$d --data-port %1$d | membership and data",
        "--port %1$d --control-port %1$d | services and membership",
        "--port %1$d --data-port %1$d | services and data",
      })
  void start_withTwoUsesOfOnePort_saysWhich(String ports, String uses) throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }

    Cli.Result result = start("--head " + ports.formatted(free));

    assertThat(result.err()).startsWith("aktis start: " + uses + " need two ports; both are ");
  }

  private Cli.Result start(String options) {
    List<String> line = new ArrayList<>(List.of("start", "--store-dir", folder.toString()));
    line.addAll(List.of(options.split(" ")));
    return Cli.run(line.toArray(String[]::new));
  }
}
