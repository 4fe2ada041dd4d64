package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bounds that need a JVM of their own. */
class ScaleTest {
  private static final Pattern CYCLE =
      Pattern.compile("cycle \\d+ threads (\\d+) files (\\d+) native (\\d+)");

  @Test
  @Timeout(180)
  @Semantics({"9.nesting", "2.blocked.nesting"})
  void nesting_hundredThousandDeepOnOneCpu_finishesIn2GiB() {
    ChildJvm.Result result = ChildJvm.of(Programs.DeepNesting.class).options("-Xmx2g").run();

    assertThat(result.output()).contains("depth 100000");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @Semantics("9.heap")
  void queue_ofAMillionTasks_takesLessThanOneKiBEach() {
    ChildJvm.Result result = ChildJvm.of(Programs.MillionQueued.class).options("-Xmx3g").run();

    assertThat(result.output()).contains("last 1000000");
    assertThat(number("bytes a task (\\d+)", result.output())).isLessThan(1_024);
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @Semantics("1.close.again")
  void cycles_fiftyOfInitAndClose_leaveEverythingFlat() {
    ChildJvm.Result result =
        ChildJvm.of(Programs.FiftyCycles.class)
            .options("-XX:NativeMemoryTracking=summary", "-Xmx512m")
            .run();

    assertThat(result.exitCode()).as(result.output()).isZero();
    List<MatchResult> cycles = CYCLE.matcher(result.output()).results().toList();
    assertThat(cycles).hasSize(50);
    // The first cycles load classes and compile; after them nothing may grow.
    MatchResult settled = cycles.get(24);
    MatchResult last = cycles.getLast();
    assertThat(value(last, 1)).as("threads").isLessThanOrEqualTo(value(settled, 1));
    assertThat(value(last, 2)).as("open files").isLessThanOrEqualTo(value(settled, 2));
    // One store of 64 MiB that is not given back would show, compiled code does not.
    assertThat(value(last, 3)).as("native KiB").isLessThan(value(settled, 3) + 32 * 1_024);
  }

  private static long value(MatchResult cycle, int group) {
    return Long.parseLong(cycle.group(group));
  }

  private static long number(String pattern, String output) {
    return Pattern.compile(pattern)
        .matcher(output)
        .results()
        .mapToLong(match -> value(match, 1))
        .findFirst()
        .orElseThrow(() -> new AssertionError(pattern + " is not in " + output));
  }
}
