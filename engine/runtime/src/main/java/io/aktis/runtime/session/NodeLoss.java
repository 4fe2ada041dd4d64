package io.aktis.runtime.session;

import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.task.TaskMachine;
import java.util.ArrayList;
import java.util.List;

/**
 * What follows from the loss of a virtual node: its runs are abandoned, its tasks and actors told
 * as lost, its objects gone. Code that ran there is interrupted; where it ignores that, its thread
 * ends when it does, and what it reports is stale. Confined to the kernel's loop.
 */
final class NodeLoss {
  private final OwnerKernel kernel;
  private final LocalNode node;

  NodeLoss(OwnerKernel kernel, LocalNode node) {
    this.kernel = kernel;
    this.node = node;
  }

  void carryOut() {
    List<Actor> actors = actorsHere();
    for (Lease lease : new ArrayList<>(node.leases().values())) {
      List<Task> started = lease.slot() instanceof Slot slot ? slot.abandon() : List.of();
      node.letResume(lease.id());
      kernel.follow(
          new OwnerEvent.LeaseLost(
              lease,
              TaskMachine.Loss.WHILE_RUNNING,
              started,
              failure(FailureKind.NODE_DIED, "Node " + node.id() + " was lost.")));
    }
    node.leases().clear();
    for (Actor actor : actors) {
      lose(actor);
    }
    for (var object : node.virtual().store().objects()) {
      node.deleteCopy(object.id());
    }
    kernel.follow(new OwnerEvent.NodeGone(node.id()));
    kernel.groups().nodeLost(node);
  }

  private List<Actor> actorsHere() {
    List<Actor> here = new ArrayList<>();
    for (ActorEntry entry : kernel.directory().all()) {
      Lease lease = entry.actor().lease();
      if (lease != null && lease.node().equals(node.id())) {
        here.add(entry.actor());
      }
    }
    return here;
  }

  private void lose(Actor actor) {
    List<Task> started =
        actor.runner() instanceof ActorHost host
            ? host.abandon().stream().map(Run::task).toList()
            : List.of();
    kernel.follow(
        new OwnerEvent.ActorLost(
            actor,
            started,
            failure(FailureKind.ACTOR_DIED, "Its node " + node.id() + " was lost.")));
  }

  private static Outcome.Failure failure(FailureKind kind, String message) {
    return Outcome.Failure.of(kind, message);
  }
}
