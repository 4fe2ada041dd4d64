package io.aktis.simulation;

import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Carries out what the machine of an owner wants done: mostly by a message to a node. */
final class OwnerShell implements Consumer<OwnerEffect> {
  private final OwnerProcess owner;

  OwnerShell(OwnerProcess owner) {
    this.owner = owner;
  }

  @Override
  public void accept(OwnerEffect original) {
    OwnerEffect effect = owner.world().tampering().ownerEffect(original);
    owner.world().tally().count(original);
    if (effect != null) {
      carryOut(effect);
    }
  }

  private void carryOut(OwnerEffect effect) {
    switch (effect) {
      case OwnerEffect.AskLease ask -> owner.askLease(ask);
      case OwnerEffect.Satisfied satisfied -> satisfied(satisfied.shape().key());
      case OwnerEffect.GiveBack back -> {
        owner.leases().remove(back.lease().id());
        tell(back.lease().node(), new Message.GiveBack(back.lease().id()));
      }
      case OwnerEffect.MarkIdle idle ->
          tell(idle.lease().node(), new Message.MarkIdle(idle.lease().id()));
      case OwnerEffect.MarkBusy busy ->
          tell(busy.lease().node(), new Message.MarkBusy(busy.lease().id()));
      case OwnerEffect.Push push -> push(push);
      case OwnerEffect.PushCall push -> pushCall(push);
      case OwnerEffect.Recall recall ->
          tell(recall.lease().node(), new Message.Recall(recall.lease().id()));
      case OwnerEffect.LeaseBlocked blocked ->
          tell(blocked.lease().node(), new Message.Block(blocked.lease().id()));
      case OwnerEffect.LeaseUnblocked unblocked ->
          tell(
              unblocked.lease().node(),
              new Message.Unblock(unblocked.lease().id(), (Message.Wake) unblocked.waiter()));
      case OwnerEffect.Resume resume -> resume((Message.Wake) resume.waiter());
      case OwnerEffect.Settle settle -> settle(settle);
      case OwnerEffect.Unsettle unsettle ->
          owner.world().witness().unsettled(owner, unsettle.object());
      case OwnerEffect.Done done -> owner.world().witness().done(done.task());
      case OwnerEffect.DeleteCopy delete ->
          tell(delete.node(), new Message.DeleteCopy(delete.object().id()));
      case OwnerEffect.Interrupt interrupt -> interrupt(interrupt);
      case OwnerEffect.KillProcess kill ->
          throw new IllegalStateException("no lease says which process serves it: " + kill);
      case OwnerEffect.CancelAnswered answered -> {
        owner.world().witness().cancelAnswered(answered.task(), answered.answer());
      }
      case OwnerEffect.ActorDied died -> {
        List<OwnedObject> kept = owner.actors().died(died.actor());
        owner.tell(new OwnerEvent.Released(kept));
      }
      case OwnerEffect.EndActor end -> {
        owner.leases().remove(end.lease().id());
        tell(
            end.lease().node(),
            new Message.EndActor(end.actor().id(), end.lease().id(), end.interrupt()));
      }
      case OwnerEffect.RemakeActor remake -> remake(remake.actor(), remake.creation());
      case OwnerEffect.StartTimer timer ->
          owner.after(timer.delayMs(), () -> owner.tell(timer.event()));
      case OwnerEffect.DeadlockFound found -> owner.note("finds a circle of", found.chain().size());
    }
  }

  private void tell(NodeId node, Message message) {
    Address address = owner.nodes().addressOf(node);
    if (address != null) {
      owner.sendIfUp(address, message);
    }
  }

  private void satisfied(ShapeKey shape) {
    for (Address node : owner.nodes().all()) {
      owner.sendIfUp(node, new Message.Satisfied(shape.demand(), shape.bundle()));
    }
  }

  private void push(OwnerEffect.Push push) {
    Lease lease = push.lease();
    owner.leases().put(lease.id(), lease);
    Sent sent = owner.send(push.task(), push.attempt(), lease);
    tell(lease.node(), new Message.Push(lease.id(), spec(sent)));
  }

  private void pushCall(OwnerEffect.PushCall push) {
    Lease lease = Objects.requireNonNull(push.actor().lease());
    Sent sent = owner.send(push.task(), push.attempt(), lease);
    tell(lease.node(), new Message.PushCall(push.actor().id(), spec(sent)));
  }

  private RunSpec spec(Sent sent) {
    Task task = sent.task();
    Code code = (Code) Objects.requireNonNull(task.payload());
    List<Value> args = new ArrayList<>();
    for (OwnedObject argument : task.arguments()) {
      args.add(OwnerProcess.valueOf(argument));
    }
    List<ObjectId> results = Arrays.stream(task.results()).map(OwnedObject::id).toList();
    Actor actor = task.actor();
    RunSpec spec =
        new RunSpec(
            sent.key(),
            task.id(),
            task.kind(),
            sent.attempt(),
            task.name(),
            code.script(),
            code.milliCpus(),
            args,
            results,
            actor == null ? null : actor.id(),
            actor != null && actor.isOrdered());
    owner.world().witness().sent(sent, spec);
    return spec;
  }

  private void resume(Message.Wake wake) {
    Sent sent = owner.sent(wake.run());
    if (sent != null) {
      owner.sendIfUp(sent.node(), wake);
    }
  }

  private void settle(OwnerEffect.Settle settle) {
    owner.world().witness().settled(owner, settle.object(), settle.outcome());
    if (settle.outcome() instanceof Outcome.Failure failure) {
      owner.world().tally().count(failure.kind().name());
    }
    for (WaitBook.Waiting waiting : owner.waitBook().settled(settle.object())) {
      owner.waitIsOver(waiting, false);
    }
  }

  private void interrupt(OwnerEffect.Interrupt interrupt) {
    long ticket = interrupt.ticket() instanceof Long number ? number : 0;
    if (interrupt.task().running() instanceof Sent sent && sent.attempt() == interrupt.attempt()) {
      tell(sent.lease().node(), new Message.Interrupt(sent.key(), ticket));
    }
  }

  private void remake(Actor actor, Task old) {
    Task creation =
        new Task.Builder(owner.nextId(), TaskKind.CREATION, old.name(), null)
            .shape(Objects.requireNonNull(old.shape()))
            .actor(actor)
            .payload(Objects.requireNonNull(old.payload()))
            .build(Integer.MAX_VALUE);
    creation.arguments(old.arguments());
    owner.submit(creation, Witness.ANY_NUMBER, 0, 0);
  }
}
