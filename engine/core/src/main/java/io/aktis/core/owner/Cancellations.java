package io.aktis.core.owner;

import io.aktis.core.task.TaskMachine;
import io.aktis.core.task.TaskState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cancels tasks with what they submitted: what has not started never does, what runs is interrupted
 * and decides by how it ends.
 *
 * <p>Confined to the owner's loop.
 */
final class Cancellations {
  private final Effects effects;
  private final OwnerMachine owner;
  private final Dispatcher dispatcher;
  private final ActorDesk actors;

  Cancellations(Effects effects, OwnerMachine owner, Dispatcher dispatcher, ActorDesk actors) {
    this.effects = effects;
    this.owner = owner;
    this.dispatcher = dispatcher;
    this.actors = actors;
  }

  void cancelAsked(OwnerEvent.CancelAsked event) {
    Task task = event.task();
    if (event.children()) {
      for (Task child : descendants(task)) {
        cancelOne(child, event.reason(), null);
      }
    }
    cancelOne(task, event.reason(), event.ticket());
  }

  private List<Task> descendants(Task root) {
    if (!root.hasChildren) {
      return List.of();
    }
    List<Task> found = new ArrayList<>();
    for (Task task = owner.live().first(); task != null; task = task.next) {
      Task above = task.parent;
      while (above != null && above != root) {
        above = above.parent;
      }
      if (above == root) {
        found.add(task);
      }
    }
    return found;
  }

  private void cancelOne(Task task, String reason, @Nullable Object ticket) {
    switch (task.machine().state()) {
      case WAITING, QUEUED -> {
        boolean queued = task.machine().state() == TaskState.QUEUED;
        task.cancelReason = reason;
        owner.cancel(task);
        owner.settleAll(task, failure(task));
        if (task.kind() == TaskKind.CALL) {
          actors.ready(task);
        } else if (queued) {
          dispatcher.dropped(task);
        }
        answer(ticket, task, OwnerEffect.CancelAnswer.NEVER_STARTED);
      }
      case PUSHED -> {
        task.cancelReason = reason;
        task.machine().requestCancel();
        effects.add(new OwnerEffect.Interrupt(task, task.machine().attempt(), ticket));
      }
      default -> answer(ticket, task, OwnerEffect.CancelAnswer.ALREADY_DONE);
    }
  }

  private void answer(@Nullable Object ticket, Task task, OwnerEffect.CancelAnswer answer) {
    if (ticket != null) {
      effects.add(new OwnerEffect.CancelAnswered(ticket, task, answer));
    }
  }

  static Outcome.Failure failure(Task task) {
    String why = task.cancelReason.isEmpty() ? "" : ": " + task.cancelReason;
    task.tell("cancelled" + why);
    return Outcome.Failure.of(
            FailureKind.CANCELLED, "Task " + task.name() + " was cancelled" + why + ".")
        .about(task);
  }

  /** A worker gives back tasks, some of which were cancelled before it knew. */
  void returned(OwnerEvent.Returned event) {
    for (Task task : event.tasks()) {
      if (task.lease == event.lease() && task.machine().isCancelRequested()) {
        withdrawn(task, task.machine().attempt());
      }
    }
  }

  void withdrawn(Task task, int attempt) {
    if (task.machine().isCurrent(attempt)) {
      task.machine().lost(TaskMachine.Loss.BEFORE_START);
      owner.settleAll(task, failure(task));
    }
    leaveUnrun(task);
  }

  private void leaveUnrun(Task task) {
    if (task.kind() == TaskKind.CALL) {
      actors.finished(task, false);
    } else {
      dispatcher.finished(task);
    }
  }

  /** The time limit of a task is over: it fails now, whatever its code makes of the interrupt. */
  void timeIsOver(Task task) {
    String reason = "its time limit was over";
    for (Task child : descendants(task)) {
      cancelOne(child, reason, null);
    }
    if (task.machine().state() != TaskState.PUSHED) {
      cancelOne(task, reason, null);
      return;
    }
    int attempt = task.machine().attempt();
    giveUp(task, reason);
    effects.add(new OwnerEffect.Interrupt(task, attempt, null));
  }

  void givenUp(OwnerEvent.GivenUp event) {
    Task task = event.task();
    if (!task.machine().isCurrent(event.attempt())) {
      return;
    }
    Lease lease = task.lease;
    giveUp(task, event.reason());
    if (lease != null
        && !lease.gone
        && task.kind() != TaskKind.CALL
        && !event.besideActors()
        && mayBeKilled(lease.slot())) {
      effects.add(new OwnerEffect.KillProcess(lease));
    }
  }

  /** Whatever runs there besides has to be able to run again. */
  @SuppressWarnings("ReferenceEquality") // a process is the one that it is
  private boolean mayBeKilled(@Nullable Object process) {
    for (Task task = owner.live().first(); task != null; task = task.next) {
      Lease lease = task.lease;
      boolean there = lease != null && lease.slot() == process;
      if (there && runs(task) && !task.machine().survivesAsBystander()) {
        return false;
      }
    }
    return process != null;
  }

  /** Those that were sent ahead of their turn have not started. */
  private static boolean runs(Task task) {
    Lease lease = task.lease;
    return task.machine().state() == TaskState.PUSHED
        && lease != null
        && lease.inFlight.peekFirst() == task;
  }

  private void giveUp(Task task, String reason) {
    task.cancelReason = reason;
    owner.cancel(task);
    owner.settleAll(task, failure(task));
    if (task.kind() == TaskKind.CALL) {
      actors.finished(task, false);
    }
  }
}
