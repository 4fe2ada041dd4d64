package io.aktis.runtime.embedded;

import io.aktis.CancelResult;
import io.aktis.core.id.LeaseId;
import io.aktis.core.lease.Freed;
import io.aktis.core.lease.GpuShare;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.Unblocked;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what the owner's machine wants done. No decisions here: each effect is a few calls on
 * a ledger, a store, a slot or a cell. Confined to the kernel's loop.
 */
final class Shell implements Consumer<OwnerEffect> {
  private static final Cleaner CLEANER =
      Cleaner.create(task -> Thread.ofPlatform().daemon().name("Cleaner-aktis").unstarted(task));

  private final Kernel kernel;
  private final Map<LeaseId, Object> resuming = new LinkedHashMap<>();

  Shell(Kernel kernel) {
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
      case OwnerEffect.Push push -> push(push.task(), push.attempt(), push.lease());
      case OwnerEffect.PushCall push -> pushCall(push.actor(), push.task(), push.attempt());
      case OwnerEffect.MarkIdle idle -> markIdle(idle.lease());
      case OwnerEffect.MarkBusy busy -> node(busy.lease()).ledger().markBusy(busy.lease().id());
      case OwnerEffect.AskLease ask -> askLease(ask);
      case OwnerEffect.Satisfied satisfied -> satisfied(satisfied.shape().key());
      case OwnerEffect.GiveBack back -> release(back.lease());
      case OwnerEffect.Recall recall -> recall(recall.lease());
      case OwnerEffect.LeaseBlocked blocked ->
          freed(node(blocked.lease()), ledgerBlock(blocked.lease()));
      case OwnerEffect.LeaseUnblocked unblocked -> unblock(unblocked.lease(), unblocked.waiter());
      case OwnerEffect.Resume resume -> resume(resume.waiter());
      case OwnerEffect.Unsettle unsettle -> cellOf(unsettle.object()).unsettle();
      case OwnerEffect.DeleteCopy delete ->
          kernel.node(delete.node()).store().delete(delete.object().id());
      case OwnerEffect.Interrupt interrupt -> interrupt(interrupt);
      case OwnerEffect.CancelAnswered answered -> answer(answered);
      case OwnerEffect.ActorDied died -> actorDied(died.actor());
      case OwnerEffect.EndActor end -> endActor(end);
      case OwnerEffect.RemakeActor remake ->
          kernel.session().engine().actors().remake(remake.actor(), remake.creation());
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
      Kernel home = kernel;
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
  private static Cell cellOf(OwnedObject object) {
    if (object.watcher() instanceof Cell cell) {
      return cell;
    }
    Object old = object.watcher() instanceof WeakReference<?> weak ? weak.get() : null;
    Cell cell = old instanceof Cell known ? known : new Cell();
    cell.object(object);
    object.watcher(cell);
    return cell;
  }

  private void done(Task task) {
    kernel.admission().done(task.kind());
    if (task.running() instanceof Run run && run.isOver()) {
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

  private VirtualNode node(Lease lease) {
    return kernel.node(lease.node());
  }

  private void askLease(OwnerEffect.AskLease ask) {
    VirtualNode node = kernel.node(ask.node());
    if (!node.isAlive()) {
      kernel.follow(
          new OwnerEvent.LeaseRefused(ask.shape(), ask.request().id(), node + " is gone"));
      return;
    }
    LeaseAnswer answer = node.ledger().request(ask.request(), Kernel.nowMs());
    switch (answer) {
      case LeaseAnswer.Granted granted -> {
        kernel.chooser().changed(node);
        kernel.follow(
            new OwnerEvent.LeaseGranted(
                ask.shape(),
                granted.lease(),
                node.id(),
                granted.bundle(),
                granted.gpus().stream().map(GpuShare::device).toList()));
      }
      case LeaseAnswer.Refused refused -> {
        kernel.chooser().refused(node);
        kernel.follow(
            new OwnerEvent.LeaseRefused(
                ask.shape(), refused.lease(), node + " says " + refused.reason()));
        reclaim(refused.idle());
      }
    }
  }

  private void satisfied(ShapeKey shape) {
    for (VirtualNode node : kernel.nodes()) {
      node.ledger().satisfied(kernel.ownerNumber(), shape.demand(), shape.bundle());
    }
  }

  private void reclaim(List<LeaseId> idle) {
    if (!idle.isEmpty()) {
      kernel.follow(new OwnerEvent.Reclaimed(idle));
    }
  }

  private void markIdle(Lease lease) {
    kernel.chooser().idle();
    if (node(lease).ledger().markIdle(lease.id())) {
      kernel.follow(new OwnerEvent.Reclaimed(List.of(lease.id())));
    }
  }

  private Freed ledgerBlock(Lease lease) {
    return node(lease).ledger().block(lease.id());
  }

  void release(Lease lease) {
    VirtualNode node = node(lease);
    node.leases().remove(lease.id());
    kernel.groups().released(lease);
    if (node.isAlive()) {
      freed(node, node.ledger().release(lease.id()));
    }
  }

  /** Passes on what became possible because resources of a node are free. */
  void freed(VirtualNode node, Freed freed) {
    kernel.chooser().changed(node);
    for (LeaseId resumed : freed.resumed()) {
      letResume(resumed);
    }
    if (!freed.tryAgain().isEmpty() || kernel.owner().anyoneWaits()) {
      kernel.follow(new OwnerEvent.TryAgain());
    }
    kernel.groups().roomMade();
  }

  private void unblock(Lease lease, Object waiter) {
    VirtualNode node = node(lease);
    Unblocked answer = node.ledger().unblock(lease.id());
    kernel.chooser().changed(node);
    switch (answer.outcome()) {
      case RESUMED, UNKNOWN -> resume(waiter);
      case QUEUED -> {
        resuming.put(lease.id(), waiter);
        reclaim(answer.idle());
      }
    }
  }

  /** Lets go on what waits to resume on a lease: it has its CPU, or its node is lost. */
  void letResume(LeaseId lease) {
    Object waiter = resuming.remove(lease);
    if (waiter != null) {
      resume(waiter);
    }
  }

  private static void resume(Object waiter) {
    ((Run) waiter).resume();
  }

  // ---- running --------------------------------------------------------------------------------

  private void push(Task task, int attempt, Lease lease) {
    ActorHost host = null;
    if (task.kind() == TaskKind.CREATION) {
      host = kernel.session().engine().actors().newHost(task);
    }
    Run run = new Run(kernel, task, attempt, lease, host);
    task.running(run);
    slotOf(lease).add(run);
  }

  private Slot slotOf(Lease lease) {
    if (lease.slot() instanceof Slot slot) {
      return slot;
    }
    Slot slot = new Slot(kernel);
    lease.slot(slot);
    node(lease).leases().put(lease.id(), lease);
    return slot;
  }

  private void pushCall(Actor actor, Task task, int attempt) {
    Lease lease = actor.lease();
    if (lease == null
        || !(actor.runner() instanceof ActorHost host)
        || !(task.payload() instanceof Call call)) {
      throw new IllegalStateException(actor + " takes no calls now");
    }
    Run run = new Run(kernel, task, attempt, lease, host);
    task.running(run);
    host.add(run, call.request().group());
  }

  private void recall(Lease lease) {
    List<Task> tasks = lease.slot() instanceof Slot slot ? slot.takeUnstarted() : List.of();
    kernel.follow(new OwnerEvent.Returned(lease, tasks));
  }

  private void interrupt(OwnerEffect.Interrupt interrupt) {
    Task task = interrupt.task();
    if (!(task.running() instanceof Run run) || run.attempt() != interrupt.attempt()) {
      tell(interrupt.ticket(), CancelResult.ALREADY_DONE);
      return;
    }
    Run.Ended ended = run.end();
    if (ended == Run.Ended.BEFORE_START) {
      kernel.follow(new OwnerEvent.Withdrawn(task, interrupt.attempt()));
    }
    tell(
        interrupt.ticket(),
        switch (ended) {
          case BEFORE_START -> CancelResult.NEVER_STARTED;
          case WHILE_RUNNING -> CancelResult.INTERRUPTED;
          case AFTERWARDS -> CancelResult.ALREADY_DONE;
        });
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

  private static void tell(@Nullable Object ticket, CancelResult result) {
    if (ticket instanceof CancelTicket waiting) {
      waiting.answer(result);
    }
  }

  private void actorDied(Actor actor) {
    ActorEntry entry = kernel.directory().died(actor);
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

  private static void endActor(OwnerEffect.EndActor end) {
    if (end.actor().runner() instanceof ActorHost host) {
      host.end(end.lease(), end.interrupt());
    }
  }
}
