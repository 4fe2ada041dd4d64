package io.aktis.runtime.session;

import io.aktis.CancelResult;
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
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what the owner's machine wants done. No decisions here: each effect is a call on a
 * node or a cell. Confined to the kernel's loop.
 */
final class Shell implements Consumer<OwnerEffect> {
  private static final Cleaner CLEANER =
      Cleaner.create(task -> Thread.ofPlatform().daemon().name("Cleaner-aktis").unstarted(task));

  private final OwnerKernel kernel;

  Shell(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  static Cleaner cleaner() {
    return CLEANER;
  }

  @Override
  public void accept(OwnerEffect effect) {
    kernel.acted();
    switch (effect) {
      case OwnerEffect.Settle settle -> settle(settle.object(), settle.outcome());
      case OwnerEffect.Done done -> done(done.task());
      case OwnerEffect.Push push ->
          node(push.lease()).push(push.task(), push.attempt(), push.lease());
      case OwnerEffect.PushCall push -> pushCall(push);
      case OwnerEffect.MarkIdle idle -> node(idle.lease()).markIdle(idle.lease());
      case OwnerEffect.MarkBusy busy -> node(busy.lease()).markBusy(busy.lease());
      case OwnerEffect.AskLease ask -> askLease(ask);
      case OwnerEffect.Satisfied satisfied -> satisfied(satisfied.shape().key());
      case OwnerEffect.GiveBack back -> node(back.lease()).release(back.lease());
      case OwnerEffect.Recall recall -> node(recall.lease()).recall(recall.lease());
      case OwnerEffect.LeaseBlocked blocked -> node(blocked.lease()).block(blocked.lease());
      case OwnerEffect.LeaseUnblocked unblocked ->
          node(unblocked.lease()).unblock(unblocked.lease(), unblocked.waiter());
      case OwnerEffect.Resume resume -> resume(resume.waiter());
      case OwnerEffect.Unsettle unsettle -> {
        cellOf(unsettle.object()).unsettle();
        kernel.unsettled(unsettle.object());
      }
      case OwnerEffect.DeleteCopy delete -> deleteCopy(delete.object().id(), delete.node());
      case OwnerEffect.Interrupt interrupt -> interrupt(interrupt);
      case OwnerEffect.KillProcess kill -> node(kill.lease()).killProcess(kill.lease());
      case OwnerEffect.CancelAnswered answered -> answer(answered);
      case OwnerEffect.ActorDied died -> actorDied(died.actor());
      case OwnerEffect.EndActor end -> node(end.lease()).endActor(end);
      case OwnerEffect.RemakeActor remake ->
          kernel.actors().remake(remake.actor(), remake.creation());
      case OwnerEffect.StartTimer timer ->
          kernel.timers().after(timer.delayMs(), () -> kernel.post(timer.event()));
      case OwnerEffect.DeadlockFound found ->
          Log.LOG.warn("Actors wait for each other in a circle: {}", found.chain());
    }
  }

  // ---- objects --------------------------------------------------------------------------------

  private void settle(OwnedObject object, Outcome outcome) {
    Cell cell = cellOf(object);
    cell.settle(outcome);
    kernel.tellLater(cell, outcome instanceof Outcome.Failure);
    if (holdsOthers(outcome)) {
      // From here on the machine knows the object; only the cell says whether anybody else does.
      object.watcher(new WeakReference<>(cell));
      OwnerKernel home = kernel;
      CLEANER.register(cell, () -> home.post(new OwnerEvent.Collected(object)));
    }
  }

  /** Tells whether something must be let go when nobody holds the value any more. */
  private static boolean holdsOthers(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Stored _ -> true;
      case Outcome.Inline inline -> !inline.contained().isEmpty();
      case Outcome.Failure _ -> false;
    };
  }

  /** Returns the cell of an object; a new one when nobody holds the old one any more. */
  static Cell cellOf(OwnedObject object) {
    if (object.watcher() instanceof Cell cell) {
      return cell;
    }
    Object old = object.watcher() instanceof WeakReference<?> weak ? weak.get() : null;
    Cell cell = old instanceof Cell known ? known : new Cell();
    cell.object(object);
    object.watcher(cell);
    return cell;
  }

  /** What was borrowed of another job is given back to it. */
  private void deleteCopy(ObjectId object, NodeId at) {
    if (!kernel.hasOtherJobs() || !kernel.otherJobs().loans().released(object)) {
      kernel.node(at).deleteCopy(object);
    }
  }

  private void done(Task task) {
    kernel.admission().done(task.kind());
    if (task.running() instanceof Running run && run.isOver()) {
      task.running(null);
    }
    if (task.payload() instanceof Call call) {
      Semaphore room = call.request().room();
      if (room != null) {
        room.release();
      }
      if (!call.request().borrowed().isEmpty()) {
        kernel.follow(new OwnerEvent.Released(call.request().borrowed()));
      }
      if (task.kind() != TaskKind.CREATION) { // a constructor may have to run again
        call.request().handles().forEach(Handle::close);
      }
    }
  }

  // ---- leases ---------------------------------------------------------------------------------

  private NodePort node(Lease lease) {
    return kernel.node(lease.node());
  }

  private void askLease(OwnerEffect.AskLease ask) {
    NodePort node = kernel.findNode(ask.node());
    if (node == null) {
      kernel.follow(
          new OwnerEvent.LeaseRefused(ask.shape(), ask.request().id(), ask.node() + " is gone"));
    } else {
      node.ask(ask);
    }
  }

  private void satisfied(ShapeKey shape) {
    for (NodePort node : kernel.nodes()) {
      node.satisfied(shape);
    }
  }

  /** A task that waited goes on. */
  void resume(Object waiter) {
    if (waiter instanceof Run run) {
      run.resume();
    } else {
      ((Runnable) waiter).run();
    }
  }

  // ---- running --------------------------------------------------------------------------------

  private void pushCall(OwnerEffect.PushCall push) {
    Lease lease = push.actor().lease();
    if (lease == null) {
      throw new IllegalStateException(push.actor() + " takes no calls now");
    }
    node(lease).pushCall(push.actor(), push.task(), push.attempt());
  }

  private void interrupt(OwnerEffect.Interrupt interrupt) {
    if (interrupt.task().running() instanceof Running running
        && running.attempt() == interrupt.attempt()) {
      running.interrupt(interrupt, kernel);
    } else {
      tell(interrupt.ticket(), CancelResult.ALREADY_DONE);
    }
  }

  private static void answer(OwnerEffect.CancelAnswered answered) {
    tell(
        answered.ticket(),
        switch (answered.answer()) {
          case NEVER_STARTED -> CancelResult.NEVER_STARTED;
          case INTERRUPTED -> CancelResult.INTERRUPTED;
          case ALREADY_DONE -> CancelResult.ALREADY_DONE;
        });
  }

  /** Tells who cancelled what happened. */
  static void tell(@Nullable Object ticket, CancelResult result) {
    if (ticket instanceof CancelTicket waiting) {
      waiting.answer(result);
    }
  }

  private void actorDied(Actor actor) {
    ActorEntry entry = kernel.directory().died(actor);
    if (entry != null) {
      kernel.actors().nameIsFree(entry);
    }
    if (entry != null && !entry.kept().isEmpty()) {
      kernel.follow(new OwnerEvent.Released(entry.kept()));
    }
    for (ActorEntry owned : kernel.directory().takeOwnedBy(actor)) {
      kernel.follow(
          new OwnerEvent.ActorKilled(
              owned.actor(),
              "Actor "
                  + owned.actor().name()
                  + " has ended with its owner, actor "
                  + actor.name()
                  + "."));
    }
  }
}
