package io.aktis.benchmarks.micro;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every benchmark for a moment: they work; what they measure here means nothing. */
class BenchmarksTest {
  @Test
  void benchmarks_allOfThem_run() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(10))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    Set<String> classes = new TreeSet<>();
    for (RunResult result : results) {
      String benchmark = result.getParams().getBenchmark();
      classes.add(benchmark.substring(0, benchmark.lastIndexOf('.')));
      assertThat(result.getPrimaryResult().getScore()).as(benchmark).isPositive();
    }
    assertThat(classes)
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .containsExactly(
            "CodecBenchmarks",
            "LoopBenchmarks",
            "MachineBenchmarks",
            "OwnerBenchmarks",
            "StoreBenchmarks");
  }
}
