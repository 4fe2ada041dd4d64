package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xmx2g",
        "-Xss512k",
        "-Da=b",
        "-ea",
        "-ea:io.aktis...",
        "-XX:+UseG1GC",
        "-XX:MaxRAMPercentage=50",
        "-XX:MaxDirectMemorySize=1g",
        "-XX:+HeapDumpOnOutOfMemoryError",
        "-XX:TieredStopAtLevel=1",
        "-Xlog:gc*:file=gc.log",
        "--enable-native-access=ALL-UNNAMED",
        "--add-opens=java.base/java.nio=ALL-UNNAMED"
      })
  void option_thatIsKnown_goesWithACache(String option) {
    assertThat(JvmOptions.goWithCache(List.of("-Xmx1g", option), Map.of())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xshare:off",
        "-XX:AOTCache=other.aot",
        "-XX:AOTCacheOutput=own.aot",
        "-XX:SharedArchiveFile=own.jsa",
        "-XX:+UseZGC",
        "-XX:-UseCompressedOops",
        "-XX:ObjectAlignmentInBytes=16",
        "-Djava.system.class.loader=app.Loader",
        "-javaagent:agent.jar",
        "--patch-module=java.base=patch",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "@options"
      })
  void option_thatMayNotFit_doesNotGoWithACache(String option) {
    assertThat(JvmOptions.goWithCache(List.of("-Xmx1g", option), Map.of())).isFalse();
  }

  @Test
  void variable_thatAddsOptions_doesNotGoWithACache() {
    assertThat(JvmOptions.goWithCache(NODE, Map.of("JAVA_TOOL_OPTIONS", "-Xshare:off"))).isFalse();
    assertThat(JvmOptions.goWithCache(NODE, Map.of("JAVA_TOOL_OPTIONS", " "))).isTrue();
  }
}
