package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchCoreCommandTest {
  @TempDir Path folder;

  @Test
  void benchCore_ofOneLoad_printsItsRowAndWritesJson() throws IOException {
    Path json = folder.resolve("core.json");

    Cli.Result result = core("--only", "get_small_per_s", "--json", json.toString());

    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines().toList())
        .satisfiesExactly(
            heading -> assertThat(heading).contains("aktis/jdk"),
            row -> assertThat(row).startsWith("get_small_per_s").contains("×"),
            ways -> assertThat(ways).isEqualTo("    jdk: CompletableFuture"));
    Map<String, Object> report = JSON.std.mapFrom(Files.readString(json));
    assertThat(report).containsEntry("mode", "embedded");
    assertThat(report.get("results")).asString().contains("get_small_per_s", "unit=1/s", "jdk=");
  }

  @Test
  void benchCore_withAnUnknownLoad_listsTheKnownOnes() {
    Cli.Result result = core("--only", "speed");

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("no load 'speed'", "task_sync_per_s", "resident_mb");
  }

  @Test
  void benchCore_withWrongOptions_isAUsageErrorThatSaysWhatIsRight() {
    assertThat(core("--against", "spark").err()).contains("'spark' is not one of jdk, ray");
    assertThat(core("--seconds", "-1").err()).contains("'-1' is not a number of seconds");
    assertThat(core("--cpus", "0").err()).contains("'0' is not a whole number");
    assertThat(core("--json", folder.toString()).err()).contains("cannot write " + folder);
    assertThat(core("--cpus", "0").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void benchCore_withoutRay_saysSoInALineAndMeasuresTheRest() {
    Cli.Result result = core("--only", "get_small_per_s", "--against", "ray,jdk");

    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).contains("Ray is left out: --ray-python PATH is needed");
    assertThat(result.out()).contains("jdk: CompletableFuture");
  }

  @Test
  void bench_withoutName_isAUsageError() {
    assertThat(Cli.run("bench").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  private static Cli.Result core(String... options) {
    String[] line = new String[options.length + 4];
    line[0] = "bench";
    line[1] = "core";
    line[2] = "--seconds";
    line[3] = "0.01";
    System.arraycopy(options, 0, line, 4, options.length);
    return Cli.run(line);
  }
}
