package io.aktis.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told of tasks that are not done. */
class ExplainTest {
  private final OwnerBench bench = new OwnerBench();

  @Test
  void task_thatWaitsForOthers_isExplainedDownToTheCause() {
    bench.choice =
        new NodeChooser.Choice.Busy("of 2 nodes 2 busy", List.of("node-a: busy"), List.of());
    Task first = bench.submit("load");
    Task second = bench.task("train").with(first.results()[0]).submit();
    Task third = bench.task("report").with(second.results()[0]).submit();

    assertThat(bench.machine.explain(third.id()))
        .containsExactly(
            third.id() + " report waits for 1 of its arguments",
            "  " + second.id() + " train waits for 1 of its arguments",
            "    " + first.id() + " load waits for {cpu: 1}: of 2 nodes 2 busy",
            "      node-a: busy");
  }

  @Test
  void task_thatRuns_isOnItsNode() {
    Task task = bench.submit("mill");
    bench.grant();

    assertThat(bench.machine.explain(task.id()))
        .containsExactly(
            task.id() + " mill runs, or is about to, attempt 1", "  it is on " + OwnerBench.NODE_A);
  }

  @Test
  void task_withManyArguments_namesTheFirstFew() {
    OwnedObject[] arguments = new OwnedObject[10];
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = bench.submit("argument " + i).results()[0];
    }
    Task task = bench.task("sum").with(arguments).submit();

    List<String> lines = bench.machine.explain(task.id());

    assertThat(lines).hasSizeLessThan(10).last().isEqualTo("  and others");
    assertThat(lines.getFirst()).endsWith("sum waits for 10 of its arguments");
  }

  @Test
  void task_thatIsDone_isNotExplained() {
    Task task = bench.submit("mill");
    bench.grant();
    bench.succeed(task);

    assertThat(bench.machine.explain(task.id())).isEmpty();
    assertThat(bench.machine.explain(new io.aktis.core.id.TaskId(OwnerBench.OWNER, 99))).isEmpty();
  }
}
