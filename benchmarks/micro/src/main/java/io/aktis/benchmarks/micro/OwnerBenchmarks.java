package io.aktis.benchmarks.micro;

import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.NodeChooser;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerConfig;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.OwnerMachine;
import io.aktis.core.owner.Shape;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.schedule.Strategy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * An owner's decisions about tasks, without threads: from the submission to the result, on one
 * lease whose worker answers at once.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OwnerBenchmarks implements Consumer<OwnerEffect> {
  private static final long OWNER = 7;
  private static final int MANY = 1_000;
  private static final long SHORT_NANOS = 100;
  private static final NodeId NODE = new NodeId(OWNER, 1);
  private static final List<Outcome> RESULT = List.of(new Outcome.Inline(1, List.of()));

  private final OwnerMachine machine =
      new OwnerMachine(new OwnerConfig(OWNER, 1_000, 1L << 30), new OneLease());
  private final Shape shape =
      machine.shape(new ShapeKey(Demand.TASK, Strategy.DEFAULT, LabelSelector.ANY, null));
  private final ArrayDeque<Task> pushed = new ArrayDeque<>();
  private LeaseId asked = new LeaseId(OWNER, 0);
  private boolean leased;
  private long sequence;

  /** One task after the other. */
  @Benchmark
  public Task oneTask() {
    Task task = submit();
    answer();
    return task;
  }

  /** Many tasks that are submitted before the first is done; per task. */
  @Benchmark
  @OperationsPerInvocation(MANY)
  public long manyTasks() {
    for (int i = 0; i < MANY; i++) {
      submit();
    }
    while (!pushed.isEmpty()) {
      answer();
    }
    return sequence;
  }

  private Task submit() {
    Task task =
        new Task.Builder(TaskId.of(OWNER, ++sequence), TaskKind.TASK, "task", null)
            .shape(shape)
            .payload("code")
            .build(3);
    task.results(new OwnedObject[] {new OwnedObject(task, 0, "watcher")});
    tell(new OwnerEvent.Submitted(task, 0, 0));
    if (!leased) {
      leased = true;
      tell(new OwnerEvent.LeaseGranted(shape, asked, NODE, null, List.of()));
    }
    return task;
  }

  private void answer() {
    Task task = pushed.remove();
    tell(new OwnerEvent.Succeeded(task, task.machine().attempt(), RESULT, SHORT_NANOS, false));
  }

  private void tell(OwnerEvent event) {
    machine.on(event, 0, this);
  }

  /** Plays the worker and the node; what else the machine wants done is left undone. */
  @Override
  public void accept(OwnerEffect effect) {
    if (effect instanceof OwnerEffect.Push push) {
      pushed.add(push.task());
    } else if (effect instanceof OwnerEffect.AskLease ask) {
      asked = ask.request().id();
    }
  }

  /** A cluster that has one lease to give. */
  private final class OneLease implements NodeChooser {
    @Override
    public Choice choose(ShapeKey key, Task first) {
      return leased
          ? new Choice.Busy("the lease is given", List.of(), List.of())
          : new Choice.Ask(NODE);
    }

    @Override
    public long version() {
      return leased ? 2 : 1;
    }
  }
}
