package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JvmOptionsTest {
  private static final List<String> NODE = List.of("-Xmx1g", "-XX:+UseSerialGC", "-Da=b");

  @Test
  void options_withoutACollector_areBehindThoseBefore() {
    assertThat(JvmOptions.joined(NODE, List.of(), List.of("-Xmx2g")))
        .containsExactly("-Xmx1g", "-XX:+UseSerialGC", "-Da=b", "-Xmx2g");
  }

  @Test
  void options_withACollector_replaceTheOneBefore() {
    assertThat(JvmOptions.joined(NODE, List.of("-XX:+UseZGC"), List.of("-XX:+UseG1GC", "-Dc=d")))
        .containsExactly("-Xmx1g", "-Da=b", "-XX:+UseG1GC", "-Dc=d");
  }

  @Test
  void options_withTwoCollectorsAtOnce_areLeftToTheJvm() {
    assertThat(JvmOptions.joined(NODE, List.of("-XX:+UseZGC", "-XX:+UseG1GC")))
        .containsExactly("-Xmx1g", "-Da=b", "-XX:+UseZGC", "-XX:+UseG1GC");
  }
}
