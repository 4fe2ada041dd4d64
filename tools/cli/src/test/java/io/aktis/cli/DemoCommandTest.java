package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cli.DemoResult.Count;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class DemoCommandTest {
  @Test
  void demo_asJson_isOneObjectWithAgreeingCounts() throws Exception {
    Cli.Result result = Cli.run("demo", "--limit", "1000000", "--cpus", "2", "--json");

    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(result.out().lines()).hasSize(1);
    Map<String, Object> json = JSON.std.mapFrom(result.out());
    assertThat(json.keySet()).containsExactly("limit", "sequential", "chunks", "microTasks");
    assertThat(json).containsEntry("limit", 1_000_000);
    assertThat(part(json, "sequential"))
        .containsEntry("count", 78_498)
        .containsOnlyKeys("count", "seconds");
    assertThat(part(json, "chunks"))
        .containsEntry("count", 78_498)
        .containsOnlyKeys("count", "seconds", "speedup");
    assertThat(part(json, "microTasks"))
        .containsEntry("limit", 200_000)
        .containsEntry("count", 17_984)
        .containsOnlyKeys("limit", "count", "seconds", "sequentialSeconds");
  }

  @Test
  void demo_forPeople_showsCountsAndTheCodeThatRan() {
    Cli.Result result = Cli.run("demo", "--limit", "100000", "--cpus", "1");

    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .startsWith("Primes below 100,000, on 1 CPU\n")
        .containsPattern("one thread +9,592 primes +[0-9.]+ s\n")
        .containsPattern("chunks as tasks +9,592 primes +[0-9.]+ s +[0-9.]+x +64 tasks\n")
        .containsPattern("a task per number +9,592 primes +[0-9.]+ s +[0-9.]+x +100,000 tasks, ")
        .contains("parts.add(Aktis.task(PrimeCounts::count, from, ")
        .contains("= Aktis.remote(PrimeCounts::isPrime);");
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1,0", "2,0", "3,1", "1001,168"})
  void demo_ofSmallLimits_counts(int limit, int primes) throws Exception {
    Cli.Result result = Cli.run("demo", "--limit", "" + limit, "--cpus", "1", "--json");

    Map<String, Object> json = JSON.std.mapFrom(result.out());
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(part(json, "sequential")).containsEntry("count", primes);
    assertThat(part(json, "chunks")).containsEntry("count", primes);
    assertThat(part(json, "microTasks"))
        .containsEntry("count", primes)
        .containsEntry("limit", limit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "five", "1.5", "2000000001", "99999999999999999999", "", "1 000"})
  void demo_ofALimitThatMakesNoSense_isAUsageError(String limit) {
    Cli.Result result = Cli.run("demo", "--limit", limit);

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            "aktis demo: Invalid value for option '--limit': '"
                + limit
                + "' is not a whole number from 0 to 2,000,000,000\nTry 'aktis demo --help'.\n");
  }

  @Test
  void result_whoseCountsDiffer_isAFailure() {
    Count right = new Count(25, 1);
    Count wrong = new Count(100, 1);

    new DemoResult(100, 2, 50, right, right, 100, right, right).checkAgreement();

    assertThatThrownBy(
            () -> new DemoResult(100, 2, 50, right, wrong, 100, right, right).checkAgreement())
        .hasMessage("the counts differ: 25 and 100 below 100, 25 and 25 below 100")
        .asInstanceOf(InstanceOfAssertFactories.type(CommandFailure.class))
        .returns(ExitCode.FAILED, CommandFailure::exitCode);
    assertThatThrownBy(
            () -> new DemoResult(100, 2, 50, right, right, 100, wrong, right).checkAgreement())
        .hasMessageContaining("25 and 100 below 100");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> part(Map<String, Object> json, String name) {
    return (Map<String, Object>) json.get(name);
  }
}
