package io.aktis.runtime.session;

import io.aktis.CancelResult;
import io.aktis.core.id.ActorId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.WorkerLink;
import io.aktis.wire.message.EndLease;
import io.aktis.wire.message.Interrupt;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.Settle;
import io.aktis.wire.message.Unsettle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A worker process as its owner knows it: what was sent there, and what it holds. Confined to the
 * owner's loop.
 */
final class RemoteWorker {
  /** What the worker holds of one object; the cell is kept, so that the object is not collected. */
  private static final class Held {
    private final Cell cell;
    private int count;
    private Cell.@Nullable Waiter waiter;

    Held(Cell cell) {
      this.cell = cell;
    }
  }

  private record Ticket(RemoteRun run, @Nullable Object ticket) {}

  private record HeldActor(ActorEntry entry, int count) {}

  private final OwnerKernel kernel;
  private final String id;
  private final RemoteNode node;
  private final Map<RunKey, RemoteRun> runs = new LinkedHashMap<>();
  private final Map<ObjectId, Held> held = new HashMap<>();
  private final Map<ActorId, HeldActor> actors = new HashMap<>();
  private final Map<ObjectId, StreamEnd> streams = new HashMap<>();
  private final Map<Long, Ticket> tickets = new HashMap<>();
  private @Nullable WorkerLink link;
  private long ticketNumber;
  private long runNumber;

  /** What is known of what had started when the process died; nothing rules anything out. */
  private StartedRuns started = StartedRuns.UNKNOWN;

  /** Whether it is killed to end code that does not listen, and others in it are bystanders. */
  private boolean toDie;

  private boolean gone;

  RemoteWorker(OwnerKernel kernel, String id, RemoteNode node) {
    this.kernel = kernel;
    this.id = id;
    this.node = node;
  }

  String id() {
    return id;
  }

  RemoteNode node() {
    return node;
  }

  /** Joins it with its connection, before anything is sent. */
  void link(WorkerLink connection) {
    link = connection;
  }

  void send(OwnerToWorker.Builder message) {
    WorkerLink connection = link;
    if (connection == null) {
      throw new IllegalStateException("worker " + id + " is not connected");
    }
    connection.send(message.build());
  }

  /** Tells whether nothing that was sent there runs or waits, as far as is known. */
  boolean isIdle() {
    return runs.isEmpty();
  }

  boolean isGone() {
    return gone;
  }

  /** It is about to be killed because of one task; all others in it are bystanders. */
  void toDie() {
    toDie = true;
  }

  boolean isToDie() {
    return toDie;
  }

  // ---- attempts -------------------------------------------------------------------------------

  RemoteRun begins(Task task, int attempt, Lease lease) {
    RemoteRun run = new RemoteRun(this, task, attempt, lease, ++runNumber);
    runs.put(run.key(), run);
    task.running(run);
    return run;
  }

  @Nullable RemoteRun run(RunKey key) {
    return runs.get(key);
  }

  /** Nothing more will be heard of an attempt. */
  @Nullable RemoteRun over(RunKey key) {
    RemoteRun run = runs.remove(key);
    if (run != null) {
      run.over();
    }
    return run;
  }

  /** The process is dead, and this is known of what had started in it. */
  void died(StartedRuns runs) {
    started = runs;
  }

  /** All that was sent on a lease has ended: what has not reported never will. */
  void ended(Lease lease) {
    forget(run -> run.lease() == lease);
  }

  /** Forgets what was sent on a lease; returns the tasks that had started, or may have. */
  List<Task> forget(Lease lease) {
    return forget(run -> run.lease() == lease && run.task().kind() != TaskKind.CALL);
  }

  /** Forgets what was sent to an actor; returns its calls that had started, or may have. */
  List<Task> forget(Actor actor) {
    return forget(run -> run.task().actor() == actor && run.task().kind() == TaskKind.CALL);
  }

  private List<Task> forget(Predicate<RemoteRun> which) {
    List<Task> tasks = new ArrayList<>();
    for (RemoteRun run : List.copyOf(runs.values())) {
      if (which.test(run)) {
        over(run.key());
        if (started.mayInclude(run.number())) {
          tasks.add(run.task());
        }
      }
    }
    return tasks;
  }

  void interrupt(RemoteRun run, @Nullable Object ticket) {
    tickets.put(++ticketNumber, new Ticket(run, ticket));
    send(
        OwnerToWorker.newBuilder()
            .setInterrupt(
                Interrupt.newBuilder().setRun(run.key().message()).setTicket(ticketNumber)));
  }

  /**
   * The worker says how far an attempt had come that was to be ended. What had started is reported
   * all the same, before this or after it.
   */
  void interrupted(long number, Run.Ended ended) {
    Ticket ticket = tickets.remove(number);
    if (ticket == null) {
      return;
    }
    RemoteRun run = ticket.run();
    if (ended == Run.Ended.BEFORE_START && over(run.key()) != null) {
      kernel.follow(new OwnerEvent.Withdrawn(run.task(), run.attempt()));
    }
    Shell.tell(ticket.ticket(), ended.toResult());
  }

  void endLease(Lease lease) {
    send(
        OwnerToWorker.newBuilder()
            .setEndLease(EndLease.newBuilder().setLease(WireIds.of(lease.id()))));
  }

  // ---- what it holds ----------------------------------------------------------------------------

  /** Counts one more reference of the worker, and tells it the outcome from now on. */
  void holds(OwnedObject object) {
    kernel.exports().add(object);
    Held entry = held.get(object.id());
    if (entry == null) {
      entry = new Held(Shell.cellOf(object));
      held.put(object.id(), entry);
    }
    if (entry.count++ == 0) {
      follow(entry);
    }
  }

  private void follow(Held entry) {
    Cell.Waiter waiter = new Cell.Waiter(this::settled);
    entry.waiter = waiter;
    entry.cell.whenSettled(waiter);
  }

  private void settled(Cell cell) {
    var outcome = cell.outcome();
    if (outcome == null || gone) {
      return;
    }
    kernel.exports().addContained(outcome);
    send(
        OwnerToWorker.newBuilder()
            .setSettle(
                Settle.newBuilder()
                    .setObject(WireIds.of(cell.object().id()))
                    .setOutcome(kernel.wire().message(outcome))));
  }

  /** An object is being made again: tells the worker if it holds it. */
  void unsettled(OwnedObject object) {
    Held entry = held.get(object.id());
    if (entry != null) {
      send(
          OwnerToWorker.newBuilder()
              .setUnsettle(Unsettle.newBuilder().setObject(WireIds.of(object.id()))));
      follow(entry);
    }
  }

  /** Returns how many references the worker holds. */
  int references(ObjectId id) {
    Held entry = held.get(id);
    return entry == null ? 0 : entry.count;
  }

  /** Counts one reference less; tells whether there was one. */
  boolean letsGo(ObjectId id) {
    Held entry = held.get(id);
    if (entry == null) {
      return false;
    }
    if (--entry.count == 0) {
      held.remove(id);
      if (entry.waiter != null) {
        entry.waiter.cancel();
      }
    }
    kernel.follow(new OwnerEvent.Released(List.of(entry.cell.object())));
    return true;
  }

  void holdsActor(ActorEntry entry) {
    actors.merge(
        entry.actor().id(),
        new HeldActor(entry, 1),
        (had, one) -> new HeldActor(entry, had.count + 1));
  }

  void letsGoActor(ActorId actor) {
    HeldActor had = actors.get(actor);
    if (had == null) {
      return;
    }
    if (had.count == 1) {
      actors.remove(actor);
    } else {
      actors.put(actor, new HeldActor(had.entry, had.count - 1));
    }
    released(had.entry);
  }

  private void released(ActorEntry entry) {
    if (entry.release()) {
      kernel.actors().released(entry);
    }
  }

  void reads(ObjectId completion, StreamEnd stream) {
    streams.put(completion, stream);
  }

  @Nullable StreamEnd stream(ObjectId completion) {
    return streams.get(completion);
  }

  /** The process is gone: what it held is let go, and who waits for an answer of it is told. */
  void died() {
    gone = true;
    if (link != null) {
      link.close();
    }
    for (Held entry : held.values()) {
      if (entry.waiter != null) {
        entry.waiter.cancel();
      }
      for (; entry.count > 0; entry.count--) {
        kernel.follow(new OwnerEvent.Released(List.of(entry.cell.object())));
      }
    }
    held.clear();
    for (HeldActor had : actors.values()) {
      for (int i = 0; i < had.count; i++) {
        released(had.entry);
      }
    }
    actors.clear();
    streams.values().forEach(StreamEnd::close);
    streams.clear();
    tickets.values().forEach(each -> Shell.tell(each.ticket(), CancelResult.ALREADY_DONE));
    tickets.clear();
  }

  @Override
  public String toString() {
    return "worker " + id;
  }
}
