package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.session.NodeSettings.Capacity;
import io.aktis.cluster.session.NodeSettings.Network;
import io.aktis.cluster.session.NodeSettings.Places;
import io.aktis.cluster.tls.TlsFiles;
import io.aktis.core.resource.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NodeSettingsTest {
  private static final ControlPlace REDIS = ControlPlace.parse("redis://:secret@host:1/2");

  @TempDir private Path folder;

  @Test
  void settings_writtenAndRead_areTheSame() throws IOException {
    Path file = folder.resolve("node.properties");
    NodeSettings settings = settings("10.0.0.1:6380");

    settings.write(file);

    assertThat(NodeSettings.read(file)).isEqualTo(settings);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(folder.toFile().list()).containsExactly("node.properties");
  }

  @Test
  void settings_withTls_keepTheThreeFiles() throws IOException {
    Path file = folder.resolve("node.properties");
    NodeSettings settings = settings("10.0.0.1:6380", Optional.of(TlsFiles.in(folder)));

    settings.write(file);

    assertThat(NodeSettings.read(file)).isEqualTo(settings);
    String good = Files.readString(file);
    Files.writeString(file, good.replaceAll("(?m)^tls-key=.*$", ""));
    assertThatThrownBy(() -> NodeSettings.read(file))
        .hasMessage(
            file
                + " is not a file of settings: TLS needs all of tls-ca, tls-certificate and"
                + " tls-key");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0, 0, 0",
    "6380, 0, 0, 6381, 6382",
    "6380, 7000, 0, 7000, 7001",
    "6380, 7000, 8000, 7000, 8000",
    "0, 7000, 0, 7000, 7001",
    "0, 0, 8000, 0, 8000",
    "65535, 0, 0, 0, 0",
    "65534, 0, 0, 65535, 0"
  })
  void ports_thatAreNotChosen_followTheOneBefore(
      int port, int controlPort, int dataPort, int membership, int data) {
    Network network = new Network("h", "h", port, controlPort, dataPort, "");

    assertThat(network.membershipPort()).isEqualTo(membership);
    assertThat(network.usualDataPort()).isEqualTo(data);
  }

  @Test
  void settings_writtenOverOthers_replaceThem() throws IOException {
    Path file = folder.resolve("node.properties");
    settings("10.0.0.1:6380").write(file);

    settings("10.0.0.2:6380").write(file);

    assertThat(NodeSettings.read(file).network().headAddress()).isEqualTo("10.0.0.2:6380");
  }

  @Test
  void file_thatIsDamaged_isNamed() throws IOException {
    Path file = folder.resolve("node.properties");
    settings("10.0.0.1:6380").write(file);
    String good = Files.readString(file);

    Files.writeString(file, good.replaceAll("(?m)^port=.*$", "port=many"));
    assertThatThrownBy(() -> NodeSettings.read(file))
        .hasMessage(file + " is not a file of settings: port is 'many', not a number");
    Files.writeString(file, good.replaceAll("(?m)^session=.*$", ""));
    assertThatThrownBy(() -> NodeSettings.read(file)).hasMessageContaining("it has no session");
    Files.writeString(file, "a=\\u12");
    assertThatThrownBy(() -> NodeSettings.read(file)).hasMessageStartingWith(file + " is damaged");
  }

  @Test
  void settings_thatContradictThemselves_areRefused() {
    Capacity capacity = settings("a:1").capacity();

    assertThatThrownBy(() ->
            new NodeSettings(
                "s",
                true,
                settings("a:1").network(),
                capacity,
                settings("a:1").places(),
                List.of(),
                Optional.of(REDIS)))
        .hasMessageContaining("is the head, or joins one");
    assertThatThrownBy(
            () -> settings("a:1", Optional.empty(), Optional.of(ControlPlace.parse("memory"))))
        .hasMessageContaining("redis://HOST:PORT");
    assertThatThrownBy(() -> new Capacity(capacity.resources(), List.of("0"), Map.of(), 1))
        .hasMessageContaining("each GPU has a name");
  }

  private NodeSettings settings(String headAddress) {
    return settings(headAddress, Optional.empty());
  }

  private NodeSettings settings(String headAddress, Optional<TlsFiles> tls) {
    return settings(headAddress, tls, Optional.of(REDIS));
  }

  private NodeSettings settings(
      String headAddress, Optional<TlsFiles> tls, Optional<ControlPlace> control) {
    return new NodeSettings(
        "1f00c0ffee77",
        false,
        new Network("0.0.0.0", "host-\u00e9", 0, 6381, 6390, headAddress),
        new Capacity(
            Resources.of(1.5, 12, 1L << 33, Map.of("tpu", 4.0, "a b=c", 0.0001)),
            IntStream.range(0, 12).mapToObj(gpu -> "GPU-" + gpu).toList(),
            Map.of("zone", "a=b,c\nd", "empty", ""),
            1L << 30),
        new Places(
            Path.of("/dev/shm/aktis-x y"),
            folder.resolve("spill"),
            folder.resolve("logs"),
            folder.resolve("token"),
            tls),
        List.of("-Xmx1g", "-Dname=with space, comma\\and=more"),
        control);
  }
}
