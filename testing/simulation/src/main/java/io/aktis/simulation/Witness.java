package io.aktis.simulation;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.core.task.TaskMachine;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees everything that happens and says when it must not. It knows the contract and nothing of how
 * the engine keeps it: what code started where, what owners were told, what users were given.
 */
final class Witness {
  /** The budget of work that may run any number of times. */
  static final int ANY_NUMBER = Integer.MAX_VALUE / 4;

  private final Map<TaskId, Story> stories = new LinkedHashMap<>();
  private final Map<RunKey, Run> runs = new LinkedHashMap<>();
  private final Map<ObjectId, Outcome> settled = new LinkedHashMap<>();
  private final Set<Gone> gone = new LinkedHashSet<>();
  private final Map<Worker, RunSpec> atWork = new LinkedHashMap<>();
  private final Map<Lane, Long> lastStarted = new LinkedHashMap<>();
  private final Map<Line, Long> lastReported = new LinkedHashMap<>();

  /** What is known of a task. */
  private static final class Story {
    final Task task;
    final int maxRetries;
    final long caller;
    int starts;
    int successes;
    boolean neverStarts;
    boolean done;

    Story(Task task, int maxRetries, long caller) {
      this.task = task;
      this.maxRetries = maxRetries;
      this.caller = caller;
    }
  }

  /** What is known of an attempt. */
  private static final class Run {
    final Sent sent;
    boolean started;
    boolean reported;
    boolean lost;

    Run(Sent sent) {
      this.sent = sent;
    }
  }

  /** A node that an owner knows to be gone. */
  private record Gone(Address owner, NodeId node) {}

  /** The calls of one caller at one life of an actor. */
  private record Lane(Worker worker, long caller) {}

  /** The calls of one caller to an actor. */
  private record Line(@Nullable ActorId actor, long caller) {}

  // ---- what owners do ---------------------------------------------------------------------------

  void submitted(Task task, int maxRetries, long caller) {
    Story before = stories.put(task.id(), new Story(task, maxRetries, caller));
    Violation.check(before == null, "a task is submitted once", task);
  }

  void sent(Sent sent, RunSpec spec) {
    runs.put(sent.key(), new Run(sent));
    for (Value argument : spec.args()) {
      Violation.check(
          !(argument instanceof Value.Failed), "no task gets a failure as an argument", spec);
    }
  }

  /** An owner counts an attempt as lost. */
  void lost(Sent sent) {
    run(sent.key()).lost = true;
  }

  void withdrawn(Sent sent) {
    Violation.check(!run(sent.key()).started, "what is withdrawn has not started", sent);
  }

  /** An owner is told that the code of an attempt returned. */
  void reported(Sent sent) {
    Run run = run(sent.key());
    Violation.check(run.started, "only what started returns", sent);
    Violation.check(!run.reported, "an attempt returns once", sent);
    run.reported = true;
    Story story = story(sent.task());
    story.successes++;
    if (sent.task().kind() == TaskKind.CALL && sent.task().machine().isCurrent(sent.attempt())) {
      lastReported.merge(line(sent.task(), story), sent.task().id().sequence(), Math::max);
    }
  }

  void settled(OwnerProcess owner, OwnedObject object, Outcome outcome) {
    Outcome before = settled.put(object.id(), outcome);
    Violation.check(before == null, "an object is settled once", owner, object, before, outcome);
    if (outcome instanceof Outcome.Inline(Object value, List<OwnedObject> _)) {
      Violation.check(
          value.equals(Value.truth(object.id())), "a value is what was made", object, value);
    }
  }

  void unsettled(OwnerProcess owner, OwnedObject object) {
    Outcome before = settled.remove(object.id());
    Violation.check(
        object.handles() == 0
            || before instanceof Outcome.Stored stored
                && gone.contains(new Gone(owner.address(), stored.node())),
        "of what users hold only what lay on a lost node is taken back",
        object,
        before);
  }

  void nodeGone(OwnerProcess owner, NodeId node) {
    gone.add(new Gone(owner.address(), node));
  }

  void done(Task task) {
    Story story = story(task);
    Violation.check(!story.done, "a task is done once", task);
    story.done = true;
  }

  void cancelAnswered(Task task, OwnerEffect.CancelAnswer answer) {
    if (answer == OwnerEffect.CancelAnswer.NEVER_STARTED) {
      story(task).neverStarts = true;
    }
  }

  // ---- what workers do --------------------------------------------------------------------------

  /** Code starts. */
  void started(RunSpec spec, NodeProcess node, Worker worker) {
    Run run = run(spec.key());
    Violation.check(!run.started, "an attempt starts once", spec, node.address());
    run.started = true;
    Story story = story(run.sent.task());
    story.starts++;
    int memoryRetries = Math.min(story.maxRetries, TaskMachine.MEMORY_RETRIES);
    Violation.check(
        story.starts <= 1 + 2L * story.maxRetries + memoryRetries,
        "no more attempts start than the budgets of losses, failures and memory allow",
        spec,
        story.starts);
    if (!run.lost) {
      Violation.check(!story.neverStarts, "what was cancelled before never starts", spec);
    }
    if (spec.kind() == TaskKind.CALL && spec.ordered()) {
      callStarted(spec, run, story, worker);
    }
  }

  private void callStarted(RunSpec spec, Run run, Story story, Worker worker) {
    RunSpec other = atWork.put(worker, spec);
    Violation.check(other == null, "an ordered actor does one thing at a time", spec, other);
    if (story.successes > 0) {
      return; // it runs again since its result was lost
    }
    long sequence = spec.task().sequence();
    Long before = lastStarted.put(new Lane(worker, story.caller), sequence);
    Violation.check(
        before == null || before < sequence,
        "calls of one caller start in their order",
        spec,
        before);
    Long later = lastReported.get(line(run.sent.task(), story));
    Violation.check(
        run.lost || later == null || later < sequence,
        "no call starts after a later one of its caller has returned",
        spec,
        later);
  }

  private static Line line(Task task, Story story) {
    var actor = task.actor();
    return new Line(actor == null ? null : actor.id(), story.caller);
  }

  /** Code ends, by itself or with its process. */
  void ended(RunSpec spec, Worker worker) {
    atWork.remove(worker, spec);
  }

  // ---- the end ----------------------------------------------------------------------------------

  /** All is over: checks that everybody got an answer. */
  void allIsOver(World world) {
    for (Story story : stories.values()) {
      boolean ownerLives = world.process(Address.ofOwner(story.task.id().owner())).isAlive();
      Violation.check(!ownerLives || story.done, "every task comes to an end", story.task);
    }
  }

  /** Returns how many tasks were submitted. */
  int tasks() {
    return stories.size();
  }

  /** Returns how many times code started. */
  int starts() {
    return stories.values().stream().mapToInt(story -> story.starts).sum();
  }

  private Story story(Task task) {
    Story story = stories.get(task.id());
    if (story == null) {
      throw new Violation("nobody submitted " + task);
    }
    return story;
  }

  private Run run(RunKey key) {
    Run run = runs.get(key);
    if (run == null) {
      throw new Violation("nobody sent " + key);
    }
    return run;
  }
}
