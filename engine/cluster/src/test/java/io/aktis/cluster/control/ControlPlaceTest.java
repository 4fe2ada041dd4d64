package io.aktis.cluster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Where a control store is, as people write it. */
class ControlPlaceTest {
  @Test
  void place_ofEachKind_isRead() {
    assertThat(ControlPlace.parse("memory").isShared()).isFalse();
    assertThat(ControlPlace.parse("memory").directory()).isEmpty();
    assertThat(ControlPlace.parse("/var/lib/aktis/../aktis").directory())
        .hasValue(Path.of("/var/lib/aktis"));
    assertThat(ControlPlace.parse("a/b").directory()).hasValue(Path.of("a/b").toAbsolutePath());
    assertThat(ControlPlace.parse("redis://host").toString()).isEqualTo("redis://host:6379/0");
    assertThat(ControlPlace.parse("rediss://[::1]:7000/12").toString())
        .isEqualTo("rediss://[::1]:7000/12");
    assertThat(ControlPlace.parse("redis://host").isShared()).isTrue();
  }

  @Test
  void place_withAPassword_isShownWithoutIt() {
    ControlPlace place = ControlPlace.parse("redis://me:secret@host:1");

    assertThat(place.toString()).isEqualTo("redis://host:1/0");
    assertThat(place.text()).isEqualTo("redis://me:secret@host:1");
    assertThat(ControlPlace.parse(place.text())).isEqualTo(place);
  }

  @Test
  void place_thatIsNone_isRefusedWithoutAPassword() {
    refused("", "a control store is 'memory', a directory");
    refused("etcd://host", "no control stores of kind 'etcd'");
    refused("redis://", "redis://[[USER]:PASSWORD@]HOST");
    refused("redis://:secret word@host", "no address at character");
    refused("redis://secret@host", "a user without a password");
    refused("redis://:secret@host/x", "'x' is no number of a database");
    refused("redis://:secret@host?ca=/file", "only rediss://");
    refused("rediss://:secret@host?tls=no", "?ca=FILE");
    refused("redis://:secret@host:99999", "is no port");
  }

  private static void refused(String text, String words) {
    assertThatThrownBy(() -> ControlPlace.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words)
        .hasMessageNotContaining("secret");
  }
}
