package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.testkit.EngineTest;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bounds that need a JVM of their own. */
@EngineTest(open = false)
class ScaleTest {
  private static final Pattern CYCLE =
      Pattern.compile("cycle \\d+ threads (\\d+) files (\\d+) native (\\d+)");

  @Test
  @Timeout(180)
  @Semantics({"9.nesting", "2.blocked.nesting"})
  void nesting_hundredThousandDeepOnOneCpu_finishesIn2GiB() {
    ChildJvm.Result result =
        ChildJvm.of(Programs.DeepNesting.class).on(Deploy.node(1)).options("-Xmx2g").run();

    assertThat(result.output()).contains("depth 100000");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @Semantics("9.heap")
  void queue_ofAMillionTasks_takesLessThanOneKiBEach() {
    ChildJvm.Result result =
        ChildJvm.of(Programs.MillionQueued.class).on(Deploy.node(1)).options("-Xmx3g").run();

    assertThat(result.output()).contains("last 1000000");
    assertThat(number("bytes a task (\\d+)", result.output())).isLessThan(1_024);
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @Timeout(180)
  @Semantics("1.close.again")
  void cycles_ofInitAndClose_leaveEverythingFlat() {
    // Between processes each cycle starts a worker, which takes a second or so.
    int cycles = isEmbedded() ? 50 : 16;
    ChildJvm.Result result =
        ChildJvm.of(Programs.Cycles.class)
            .on(Deploy.node(2))
            .options("-XX:NativeMemoryTracking=summary", "-Xmx512m")
            .arguments(Integer.toString(cycles))
            .run();

    assertThat(result.exitCode()).as(result.output()).isZero();
    List<MatchResult> all = CYCLE.matcher(result.output()).results().toList();
    assertThat(all).hasSize(cycles);
    // The first cycles load classes and compile; after them nothing may grow.
    MatchResult settled = all.get(cycles / 2 - 1);
    MatchResult last = all.getLast();
    assertThat(value(last, 1)).as("threads").isLessThanOrEqualTo(value(settled, 1));
    assertThat(value(last, 2)).as("open files").isLessThanOrEqualTo(value(settled, 2));
    // One store of 64 MiB that is not given back would show, compiled code does not.
    assertThat(value(last, 3)).as("native KiB").isLessThan(value(settled, 3) + 32 * 1_024);
  }

  private static boolean isEmbedded() {
    return Deploy.node(2).address().equals("local");
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
