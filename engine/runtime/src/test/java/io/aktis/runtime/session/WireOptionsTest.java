package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.CallOptions;
import io.aktis.LabelRule;
import io.aktis.RuntimeEnv;
import io.aktis.Scheduling;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options as messages carry them. */
class WireOptionsTest {
  private final WireOptions wire =
      new WireOptions(
          new Values(null, null),
          WireOptionsTest.class.getClassLoader(),
          group -> {
            throw new IllegalArgumentException("no group here");
          });

  @Test
  void bytes_ofDefaults_areNone() {
    assertThat(wire.bytes(CallOptions.DEFAULTS)).isEqualTo(ByteString.EMPTY);
    assertThat(wire.options(ByteString.EMPTY)).isSameAs(CallOptions.DEFAULTS);
  }

  @Test
  void options_ofAllKinds_comeBackAsTheyWere() {
    CallOptions options =
        CallOptions.DEFAULTS
            .withCpus(0.5)
            .withGpus(2)
            .withMemoryBytes(1L << 40)
            .withResource("disk", 2.5)
            .withLabel("zone", LabelRule.in("a", "b"))
            .withLabel("old", LabelRule.notIn("yes"))
            .withFallbackLabel("spare", LabelRule.exists())
            .withName("name")
            .withMaxRetries(0)
            .withRetryOn(List.of(IOException.class))
            .withTimeout(Duration.ofSeconds(7))
            .withIsolated()
            .withScheduling(new Scheduling.Spread())
            .withRuntimeEnv(RuntimeEnv.NONE.variable("A", "1"));

    assertThat(wire.options(wire.bytes(options))).isEqualTo(options);
  }

  @Test
  void bytes_ofEqualOptions_areEqual() {
    CallOptions some = CallOptions.DEFAULTS.withResource("a", 1).withResource("b", 2);
    CallOptions same = CallOptions.DEFAULTS.withResource("b", 2).withResource("a", 1);

    assertThat(wire.bytes(some)).isEqualTo(wire.bytes(same));
  }

  @Test
  void options_onANode_comeBackAsTheyWere() {
    CallOptions options =
        CallOptions.DEFAULTS.withScheduling(new Scheduling.OnNode("node-1", true));

    assertThat(wire.options(wire.bytes(options))).isEqualTo(options);
  }

  @Test
  void options_ofDamagedBytes_sayWhatTheyAre() {
    assertThatThrownBy(() -> wire.options(ByteString.copyFrom(new byte[] {1, 2, 3})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("options");
  }

  @Test
  void type_thatIsNotHere_isNamed() {
    assertThatThrownBy(() -> wire.type("no.such.Type"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no.such.Type");
  }
}
