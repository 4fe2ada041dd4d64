package io.aktis.simulation;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Shape;
import io.aktis.core.owner.Task;
import io.aktis.core.task.TaskMachine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Turns what nodes and the head say into events of the machine of an owner. */
final class OwnerDoor {
  /** Of so many workers that die, one does because its heap is full. */
  private static final int FULL_HEAPS = 3;

  private final OwnerProcess owner;
  private final Map<LeaseId, Asked> asked = new LinkedHashMap<>();

  /** A lease that a node was asked for. */
  private record Asked(Shape shape, Address node) {}

  OwnerDoor(OwnerProcess owner) {
    this.owner = owner;
  }

  void asks(LeaseId lease, Shape shape, Address node) {
    asked.put(lease, new Asked(shape, node));
  }

  void received(Address from, Message message) {
    switch (message) {
      case Message.Hello hello -> {
        owner.nodes().comes(from, hello.view());
        owner.tell(new OwnerEvent.TryAgain());
      }
      case Message.LeaseGranted granted -> granted(from, granted);
      case Message.LeaseRefused refused -> {
        owner.nodes().numbers(from, refused.numbers());
        refused(refused.lease(), refused.reason());
      }
      case Message.TryAgain _ -> owner.tell(new OwnerEvent.TryAgain());
      case Message.Reclaim reclaim -> owner.tell(new OwnerEvent.Reclaimed(reclaim.leases()));
      case Message.Returned returned -> returned(returned);
      case Message.WorkerLost lost -> workerLost(lost);
      case Message.LeaseEnded ended -> leaseEnded(ended.lease());
      case Message.InterruptAnswered answered ->
          owner.cancelAnswered(answered.ticket(), answered.interrupted());
      case Message.Fetched fetched -> owner.fetcher().fetched(fetched);
      case Message.GroupReady ready -> groupReady(ready);
      case Message.GroupInfeasible never -> {
        GroupBook.Known group = owner.groups().get(never.group());
        if (group != null) {
          owner.remove(group);
        }
      }
      case Message.GroupRemoved removed -> groupRemoved(removed);
      default -> fromCode(from, message);
    }
  }

  // ---- what code does ---------------------------------------------------------------------------

  private void fromCode(Address from, Message message) {
    switch (message) {
      case Message.Did did -> {
        Sent sent = owner.sent(did.run());
        if (sent != null) {
          owner.desk().perform(sent.scope(), did.step());
        }
      }
      case Message.DidPut put -> {
        Sent sent = owner.sent(put.run());
        if (sent != null) {
          owner.put(sent.scope(), put.value(), owner.nodes().at(from));
        }
      }
      case Message.Waits waits -> {
        Sent sent = owner.sent(waits.run());
        if (sent != null) {
          owner.waits(waits.run(), sent.scope(), waits.nth(), waits.step());
        }
      }
      case Message.StopsWaiting stops -> {
        WaitBook.Waiting waiting = owner.waitBook().take(stops.run(), stops.nth());
        if (waiting != null) {
          owner.waitIsOver(waiting, true);
        }
      }
      default -> ended(from, message);
    }
  }

  private void ended(Address from, Message message) {
    switch (message) {
      case Message.Succeeded succeeded -> succeeded(from, succeeded);
      case Message.Threw threw -> {
        Sent sent = over(threw.run());
        Outcome.Failure failure =
            Outcome.Failure.of(FailureKind.TASK_FAILED, sent.task().name() + " threw");
        owner.tell(
            new OwnerEvent.Threw(
                sent.task(),
                sent.attempt(),
                failure,
                threw.retryable(),
                threw.nanos(),
                threw.exits()));
        owner.closeAll(sent.scope());
      }
      case Message.ArgumentLost lost -> {
        Sent sent = over(lost.run());
        owner.tell(new OwnerEvent.ArgumentLost(sent.task(), sent.attempt()));
      }
      case Message.Withdrawn withdrawn -> {
        Sent sent = over(withdrawn.run());
        owner.world().witness().withdrawn(sent);
        owner.tell(new OwnerEvent.Withdrawn(sent.task(), sent.attempt()));
      }
      default -> throw new Violation("an owner does not expect " + message);
    }
  }

  private Sent over(RunKey run) {
    Sent sent = owner.over(run);
    Violation.check(sent != null, "an attempt reports once", run);
    return java.util.Objects.requireNonNull(sent);
  }

  private void succeeded(Address from, Message.Succeeded message) {
    Sent sent = over(message.run());
    NodeId node = owner.nodes().at(from);
    List<Outcome> outcomes = new ArrayList<>();
    for (Made made : message.results()) {
      outcomes.add(OwnerProcess.outcome(sent.scope(), made, node));
    }
    owner.world().witness().reported(sent);
    owner.tell(
        new OwnerEvent.Succeeded(
            sent.task(), sent.attempt(), outcomes, message.nanos(), message.exits()));
    owner.closeAll(sent.scope());
  }

  // ---- leases -----------------------------------------------------------------------------------

  private void granted(Address from, Message.LeaseGranted granted) {
    Asked ask = asked.remove(granted.lease());
    NodeId node = owner.nodes().at(from);
    Violation.check(ask != null && node != null, "a lease is granted that was asked for", granted);
    owner.tell(
        new OwnerEvent.LeaseGranted(
            java.util.Objects.requireNonNull(ask).shape(),
            granted.lease(),
            java.util.Objects.requireNonNull(node),
            granted.bundle(),
            List.of()));
  }

  private void refused(LeaseId lease, String reason) {
    Asked ask = asked.remove(lease);
    if (ask != null) {
      owner.tell(new OwnerEvent.LeaseRefused(ask.shape(), lease, reason));
    }
  }

  private void returned(Message.Returned returned) {
    List<Task> tasks = new ArrayList<>();
    for (RunKey run : returned.runs()) {
      Sent sent = owner.over(run);
      if (sent != null) {
        tasks.add(sent.task());
      }
    }
    Lease lease = owner.leases().get(returned.lease());
    if (lease != null) {
      owner.tell(new OwnerEvent.Returned(lease, tasks));
    }
  }

  /** The process of a worker is gone, and its node knows what had started there. */
  private void workerLost(Message.WorkerLost lost) {
    Lease lease = owner.leases().remove(lost.lease());
    if (lease == null) {
      forgetAll(sent -> sent.lease().id().equals(lost.lease())); // it was to end anyway
      return;
    }
    List<Task> started = new ArrayList<>();
    for (Sent sent : sentTo(lease)) {
      if (lost.started().contains(sent.key())) {
        started.add(sent.task());
      }
    }
    boolean full = lease.id().number() % FULL_HEAPS == 0;
    lose(
        lease,
        full ? TaskMachine.Loss.OUT_OF_MEMORY : TaskMachine.Loss.WHILE_RUNNING,
        started,
        Outcome.Failure.of(FailureKind.WORKER_DIED, "the worker of " + lease.id() + " died"));
  }

  private List<Sent> sentTo(Lease lease) {
    return owner.allSent().stream().filter(sent -> sent.lease() == lease).toList();
  }

  private void lose(Lease lease, TaskMachine.Loss loss, List<Task> started, Outcome.Failure why) {
    List<Sent> gone = sentTo(lease);
    gone.forEach(this::forget);
    Actor actor = owner.actors().on(lease);
    owner.tell(new OwnerEvent.LeaseLost(lease, loss, started, why));
    if (actor != null) {
      owner.tell(new OwnerEvent.ActorLost(actor, started, why));
    }
    gone.forEach(sent -> owner.closeAll(sent.scope()));
  }

  private void forgetAll(Predicate<Sent> which) {
    for (Sent sent : owner.allSent()) {
      if (which.test(sent)) {
        forget(sent);
        owner.closeAll(sent.scope());
      }
    }
  }

  private void forget(Sent sent) {
    owner.over(sent.key());
    owner.world().witness().lost(sent);
  }

  /** A lease ends since its bundle is given up. */
  private void leaseEnded(LeaseId id) {
    Lease lease = owner.leases().get(id);
    if (lease == null) {
      return;
    }
    Outcome.Failure why =
        Outcome.Failure.of(FailureKind.GROUP_REMOVED, "the bundle of " + id + " is given up");
    Actor actor = owner.actors().on(lease);
    if (actor != null) {
      owner.tell(new OwnerEvent.ActorKilled(actor, why.message()));
      return;
    }
    owner.leases().remove(id);
    List<Sent> gone = sentTo(lease);
    gone.forEach(this::forget);
    owner.tell(new OwnerEvent.LeaseEnded(lease, why));
    gone.forEach(sent -> owner.closeAll(sent.scope()));
  }

  // ---- nodes and groups
  // ---------------------------------------------------------------------------

  /** A node is out of sight: whatever was sent there may have started. */
  void nodeGone(Address address) {
    NodeId node = owner.nodes().goes(address);
    for (Map.Entry<LeaseId, Asked> entry : new ArrayList<>(asked.entrySet())) {
      if (entry.getValue().node().equals(address)) {
        refused(entry.getKey(), address + " is gone");
      }
    }
    if (node == null) {
      return;
    }
    Outcome.Failure why = Outcome.Failure.of(FailureKind.NODE_DIED, node + " is gone");
    for (Lease lease : new ArrayList<>(owner.leases().values())) {
      if (lease.node().equals(node)) {
        owner.leases().remove(lease.id());
        List<Task> there = sentTo(lease).stream().map(Sent::task).toList();
        lose(lease, TaskMachine.Loss.WHILE_RUNNING, there, why);
      }
    }
    forgetAll(sent -> sent.node().equals(address)); // on leases that were to end anyway
    owner.world().witness().nodeGone(owner, node);
    owner.tell(new OwnerEvent.NodeGone(node));
  }

  private void groupReady(Message.GroupReady ready) {
    GroupBook.Known group = owner.groups().get(ready.group());
    if (group != null) {
      group.ready = true;
      owner.tell(new OwnerEvent.TryAgain());
    }
  }

  private void groupRemoved(Message.GroupRemoved removed) {
    GroupBook.Known group = owner.groups().get(removed.group());
    if (group != null && !group.removed) {
      group.removed = true;
      Outcome.Failure why =
          Outcome.Failure.of(FailureKind.GROUP_REMOVED, removed.group() + " is removed");
      owner.tell(new OwnerEvent.GroupGone(BundleId.any(removed.group()), why));
    }
  }
}
