package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an owner does when workers, nodes and the objects on them are lost: runs attempts again
 * while budgets last, and makes lost objects again from their lineage, arguments first.
 *
 * <p>Confined to the owner's loop.
 */
final class Losses {
  private static final List<String> STORY_OF_PUT =
      List.of("put", "lost: the node that had its only copy is gone");

  private final Effects effects;
  private final OwnerMachine owner;
  private final Ownership ownership;
  private final Dispatcher dispatcher;
  private final ActorDesk actors;
  private final ArrayDeque<Task> toRemake = new ArrayDeque<>();

  Losses(
      Effects effects,
      OwnerMachine owner,
      Ownership ownership,
      Dispatcher dispatcher,
      ActorDesk actors) {
    this.effects = effects;
    this.owner = owner;
    this.ownership = ownership;
    this.dispatcher = dispatcher;
    this.actors = actors;
  }

  /** Returns the next task that is to be run again for a lost result. */
  @Nullable Task nextToRemake() {
    return toRemake.poll();
  }

  void leaseLost(OwnerEvent.LeaseLost event) {
    for (Task task : dispatcher.lost(event.lease())) {
      if (task.machine().state() == TaskState.PUSHED) {
        boolean started = event.started().contains(task);
        attemptLost(task, started ? event.loss() : TaskMachine.Loss.BEFORE_START, event.failure());
      }
    }
  }

  void leaseEnded(OwnerEvent.LeaseEnded event) {
    for (Task task : dispatcher.lost(event.lease())) {
      if (task.machine().state() == TaskState.PUSHED) {
        owner.fail(task, event.failure());
      }
    }
  }

  /** The current attempt of a task is lost: runs it again while a budget lasts. */
  void attemptLost(Task task, TaskMachine.Loss loss, Outcome.Failure failure) {
    task.blockedOn = List.of();
    TaskState next = task.machine().lost(loss);
    task.tell("attempt " + task.machine().attempt() + " lost: " + failure.message());
    switch (next) {
      case WAITING -> {
        if (task.kind() == TaskKind.CALL) {
          actors.again(task);
        }
        if (loss == TaskMachine.Loss.OUT_OF_MEMORY) {
          pause(task);
        } else {
          owner.awaitArguments(task);
        }
      }
      case CANCELLED -> owner.settleAll(task, Cancellations.failure(task));
      default -> owner.settleAll(task, failure.about(task));
    }
  }

  private void pause(Task task) {
    long pauseMs = task.machine().memoryPauseMs();
    task.pauses = true;
    task.tell("waits for " + pauseMs + " ms, in which memory may become free");
    effects.add(new OwnerEffect.StartTimer(pauseMs, new OwnerEvent.Timer.PauseIsOver(task)));
  }

  /** A task that paused goes on, unless it was cancelled or has failed meanwhile. */
  void pauseIsOver(Task task) {
    task.pauses = false;
    if (task.machine().state() == TaskState.WAITING) {
      owner.awaitArguments(task);
    }
  }

  void nodeGone(NodeId node) {
    List<OwnedObject> lost = ownership.nodeGone(node);
    for (OwnedObject object : lost) {
      if (object.state == OwnedObject.State.PENDING) {
        copyLost(object);
      }
    }
    for (OwnedObject object : lost) {
      if (object.state == OwnedObject.State.RELEASED) {
        ownership.forgetIfUnneeded(object);
      }
    }
    if (!lost.isEmpty()) {
      waitForLostArguments();
    }
    dispatcher.tryAgain();
  }

  /** What was ready to run waits again for arguments that are gone. */
  private void waitForLostArguments() {
    List<Task> unready = new ArrayList<>();
    for (Task task = owner.live().first(); task != null; task = task.next) {
      if (task.machine().state() == TaskState.QUEUED && task.lacksArguments()) {
        task.machine().argumentsLost();
        unready.add(task);
      }
    }
    dispatcher.takeOutUnready();
    for (Task task : unready) {
      if (!task.machine().isDone()) { // else it fell with an actor that cannot be made now
        owner.awaitArguments(task);
      }
    }
  }

  /** Makes a lost object again, or settles it as lost. */
  private void copyLost(OwnedObject object) {
    Task producer = object.producer();
    if (producer == null) {
      lose(object, "it was put, and a value that was put cannot be made again");
    } else if (!producer.machine().isDone()) {
      return; // it is being made again already, for another of its results
    } else if (producer.machine().state() != TaskState.SUCCEEDED) {
      lose(object, producer.name() + " was run again for another result, and failed");
    } else if (producer.payload() == null) {
      lose(object, "what is needed to run " + producer.name() + " again was forgotten");
    } else if (!producer.machine().outputLost()) {
      lose(object, producer.name() + " may not be run again: its retries are used up or 0");
    } else {
      producer.tell("run again: a result was lost");
      owner.live().add(producer);
      owner.holdArguments(producer);
      ownership.takeFromLineage(producer); // what it needs is safe from here on
      toRemake.add(producer);
    }
  }

  private void lose(OwnedObject object, String why) {
    Outcome.Failure failure =
        Outcome.Failure.of(
            FailureKind.OBJECT_LOST,
            "Every copy of " + object.id() + " is gone with its node: " + why + ".");
    Task producer = object.producer();
    ownership.lose(
        object, producer == null ? failure.withStory(STORY_OF_PUT) : failure.about(producer));
  }

  void remake(Task task) {
    for (OwnedObject argument : task.arguments) {
      if (argument.state == OwnedObject.State.RELEASED) {
        ownership.becomePending(argument);
        copyLost(argument);
      }
    }
    if (task.kind() == TaskKind.CALL) {
      Outcome.Failure death = ActorDesk.actorOf(task).death;
      if (death != null) {
        owner.fail(task, death);
        return;
      }
      actors.again(task);
    }
    owner.awaitArguments(task);
  }
}
