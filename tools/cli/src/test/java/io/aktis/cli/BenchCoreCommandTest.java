package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertThat(core("--against", "spark").err()).contains("'spark' is not one of jdk, ray, grpc");
    assertThat(core("--mode", "cloud").err())
        .contains("'cloud' is not one of embedded, processes, nodes");
    assertThat(core("--mode", "nodes", "--nodes", "1").err()).contains("'1' is not a whole number");
    assertThat(core("--seconds", "-1").err()).contains("'-1' is not a number of seconds");
    assertThat(core("--cpus", "0").err()).contains("'0' is not a whole number");
    assertThat(core("--json", folder.toString()).err()).contains("cannot write " + folder);
    assertThat(core("--cpus", "0").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--nodes 3 | --nodes is for --mode nodes; in mode embedded there is one",
        "--nodes 3 --mode processes | --nodes is for --mode nodes; in mode processes there is one",
        "--tls | --tls is for --mode processes or nodes",
        "--bandwidth 1GB/s --mode processes | --bandwidth is for --mode nodes",
        "--bandwidth fast --mode nodes | a rate from 10kB/s to 100GB/s",
        "--against jdk,grpc | --against grpc is for --mode processes or nodes",
        "--only transfer_500mb_gb_per_s --mode processes | no load 'transfer_500mb_gb_per_s'",
        "--only broadcast_1gb_to_4_s --mode nodes --nodes 4 | in mode nodes with 4 nodes",
      })
  void benchCore_withOptionsThatDoNotFit_isAUsageErrorBeforeAnythingStarts(
      String options, String message) {
    Cli.Result result = core(options.split(" "));

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains(message);
  }

  @Test
  void benchCore_ofACluster_startsOneComparesItAndLeavesNothing() throws Exception {
    Path json = folder.resolve("core.json");

    Cli.Result result =
        inCluster(
            "--mode",
            "processes",
            "--tls",
            "--only",
            "init_to_first_result_s,task_sync_per_s",
            "--json",
            json.toString());

    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("aktis/grpc", "≥ 0.50× grpc: ", "≥ 0.70× plain: ", "driver alone")
        .doesNotContain("FAILED", "not judged");
    assertThat(JSON.std.mapFrom(Files.readString(json)))
        .containsEntry("mode", "processes")
        .containsEntry("tls", true)
        .extractingByKey("results")
        .asString()
        .contains("task_sync_per_s={unit=1/s, aktis=", "grpc=", "plain=");
  }

  @Test
  void benchCore_ofSeveralNodes_movesObjectsBetweenThem() throws Exception {
    Cli.Result result =
        inCluster("--mode", "nodes", "--nodes", "2", "--only", "transfer_500mb_gb_per_s");

    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("transfer_500mb_gb_per_s", "jdk: bare socket", "≥ 0.60× jdk: ")
        .doesNotContain("FAILED", "not judged");
  }

  @Test
  void benchCore_ofNodesWithASlowNetwork_saysHowSlowItIs() throws Exception {
    Path json = folder.resolve("slow.json");

    Cli.Result result =
        inCluster(
            "--mode",
            "nodes",
            "--nodes",
            "2",
            "--bandwidth",
            "2GB/s",
            "--only",
            "transfer_500mb_gb_per_s",
            "--json",
            json.toString());

    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).doesNotContain("FAILED", "≥ 0.60× jdk");
    Map<String, Object> report = JSON.std.mapFrom(Files.readString(json));
    assertThat(report).containsEntry("bytesPerSecond", 2_000_000_000);
    assertThat(gigabytesPerSecond(report)).isPositive().isLessThan(2);
  }

  private static double gigabytesPerSecond(Map<String, Object> report) throws IOException {
    String results = JSON.std.asString(report.get("results"));
    String load = JSON.std.asString(JSON.std.mapFrom(results).get("transfer_500mb_gb_per_s"));
    return ((Number) JSON.std.mapFrom(load).get("aktis")).doubleValue();
  }

  /** Runs it as a process of its own, with real daemons in a home of their own. */
  private Cli.Result inCluster(String... options) throws IOException, InterruptedException {
    Path home = folder.resolve("home");
    List<String> line = new ArrayList<>(List.of("bench", "core", "--seconds", "0.01"));
    line.addAll(List.of("--cpus", "2"));
    line.addAll(List.of(options));
    Cli.Result result =
        Cli.runProcess(folder, List.of("-Daktis.home.dir=" + home), line.toArray(String[]::new));
    assertThat(home.resolve("sessions")).isEmptyDirectory();
    return result;
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
