package io.aktis.runtime.session;

import io.aktis.ActorDiedException;
import io.aktis.ActorOptions;
import io.aktis.CallOptions;
import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.core.id.ActorId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ActorDescription;
import io.aktis.wire.message.Argument;
import io.aktis.wire.message.ForeignCall;
import io.aktis.wire.message.ForeignCancel;
import io.aktis.wire.message.ForeignCreate;
import io.aktis.wire.message.JobMessage;
import io.aktis.wire.message.ObjectArgument;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The actors of other jobs as this one uses them. Their owner has the truth about each, and runs
 * the calls; here a call is an object that is settled when the answer has come.
 *
 * <p>Callers wait in their own thread; all else is confined to the owner's loop.
 */
final class ForeignActors {
  /** Calls of one caller to one actor are sent in the order in which they were made. */
  private record Line(ActorId actor, long caller) {}

  /** A call that was made, until it is sent. */
  private record Waiting(
      ActorEntry entry, ForeignCall.Builder call, Prepared code, OwnedObject result) {}

  /** Where a call was sent to, and its number. */
  private record Sent(long owner, long number) {}

  private final OwnerKernel kernel;
  private final JobRequests requests;
  private final Loans loans;
  private final Map<ActorId, ActorEntry> entries = new ConcurrentHashMap<>();
  private final Map<Line, ArrayDeque<Waiting>> lines = new HashMap<>();

  /** The calls that were sent, by their results. */
  private final Map<ObjectId, Sent> sent = new HashMap<>();

  ForeignActors(OwnerKernel kernel, JobRequests requests, Loans loans) {
    this.kernel = kernel;
    this.requests = requests;
    this.loans = loans;
  }

  // ---- handles --------------------------------------------------------------------------------

  /**
   * Returns an actor of another owner with one handle counted; waits for its description.
   *
   * @throws io.aktis.ActorDiedException when it has ended
   */
  ActorEntry hold(long owner, ActorId actor) {
    ActorEntry known = entries.get(actor);
    if (known != null && known.acquire()) {
      return known;
    }
    return entered(owner, requests.ask(owner, message -> message.setHoldActor(WireIds.of(actor))));
  }

  /**
   * Has an actor made by who keeps those that outlive this job; returns it with one handle, {@code
   * null} when its name is taken.
   */
  @Nullable ActorEntry create(long keeper, ForeignCreate create) {
    JobMessage answer = requests.ask(keeper, message -> message.setCreateActor(create));
    return answer.hasActor() ? entered(keeper, answer) : null;
  }

  /** Enters an actor of which the other owner has counted one more hold for this job. */
  private ActorEntry entered(long owner, JobMessage answer) {
    ActorDescription description = answer.getActor();
    ActorId id = WireIds.actor(description.getActor());
    return kernel.ask(() -> {
      ActorEntry known = entries.get(id);
      if (known != null && known.acquire()) {
        requests.tell(owner, JobMessage.newBuilder().setReleaseActor(WireIds.of(id)));
        return known;
      }
      ActorEntry entry = entry(owner, id, description);
      entries.put(id, entry);
      kernel.directory().know(entry);
      return entry;
    });
  }

  private ActorEntry entry(long owner, ActorId id, ActorDescription description) {
    ActorOptions options = kernel.wireOptions().options(description.getOptions());
    Actor actor = new Actor(id, description.getName(), description.getOrdered(), 0);
    ActorEntry entry =
        ActorEntry.ofAnotherJob(
            owner,
            actor,
            description.getGivenName(),
            description.getNamespace(),
            options,
            kernel.settings(CallOptions.DEFAULTS, true));
    Cell cell = Cell.of(kernel.nextId().result(0));
    entry.ready(cell);
    OwnedObject ready = cell.object();
    requests.request(
        owner,
        JobMessage.newBuilder().setActorReady(WireIds.of(id)),
        message -> settle(ready, outcome(owner, message, ready)),
        failure -> settle(ready, failure));
    return entry;
  }

  /** The last handle of this job on an actor is closed. Any thread. */
  void released(ActorEntry entry) {
    kernel.onLoop(() -> {
      if (!entry.isHeld() && entries.remove(entry.actor().id(), entry)) {
        requests.tell(
            entry.foreignOwner(),
            JobMessage.newBuilder().setReleaseActor(WireIds.of(entry.actor().id())));
      }
    });
  }

  // ---- calls ----------------------------------------------------------------------------------

  /**
   * Says why a call cannot be made of an actor of another job; empty when it can. References belong
   * to one job, and so do handles.
   */
  static Optional<String> problem(Prepared code) {
    return code.borrowed().isEmpty() && code.handles().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "a reference or handle inside of an argument belongs to this job, and the actor to"
                + " another one: pass the value, or the reference itself as the argument");
  }

  /**
   * Calls an actor of another job; its arguments are held until it is done.
   *
   * @param call what is called, without its arguments
   * @param result what is settled with the result
   */
  void call(ActorEntry entry, ForeignCall.Builder call, Prepared code, OwnedObject result) {
    kernel.follow(new OwnerEvent.Retained(List.of(code.objects())));
    Line line = new Line(entry.actor().id(), call.getCaller());
    call.setActor(WireIds.of(entry.actor().id())).setFunction(kernel.wire().bytes(code.function()));
    ArrayDeque<Waiting> queue = lines.computeIfAbsent(line, ignored -> new ArrayDeque<>());
    queue.add(new Waiting(entry, call, code, result));
    if (queue.size() == 1) { // else it goes on when the first one does
      advance(line);
    }
  }

  /** Sends the calls of a line whose arguments are there, up to the first that waits for one. */
  private void advance(Line line) {
    ArrayDeque<Waiting> queue = lines.get(line);
    while (queue != null && !queue.isEmpty()) {
      OwnedObject missing = missing(queue.getFirst());
      if (missing != null) {
        Shell.cellOf(missing)
            .whenSettled(new Cell.Waiter(cell -> kernel.onLoop(() -> advance(line))));
        return;
      }
      send(queue.removeFirst());
    }
    lines.remove(line);
  }

  private static @Nullable OwnedObject missing(Waiting waiting) {
    for (OwnedObject object : waiting.code.objects()) {
      if (object.outcome() == null) {
        return object;
      }
    }
    return null;
  }

  private void send(Waiting waiting) {
    for (OwnedObject object : waiting.code.objects()) {
      if (object.outcome() instanceof Outcome.Failure failure) {
        done(waiting, failure); // as for a task: its code does not run
        return;
      }
    }
    long owner = waiting.entry.foreignOwner();
    try {
      waiting.call.addAllArguments(arguments(owner, waiting.code));
    } catch (IllegalArgumentException e) {
      done(waiting, Outcome.Failure.of(FailureKind.TASK_FAILED, String.valueOf(e.getMessage())));
      return;
    }
    long number =
        requests.request(
            owner,
            JobMessage.newBuilder().setCall(waiting.call),
            message -> done(waiting, outcome(owner, message, waiting.result)),
            failure -> done(waiting, failure));
    if (number > 0) {
      sent.put(waiting.result.id(), new Sent(owner, number));
    }
  }

  /**
   * Returns arguments as another owner gets them; all are there, and none has failed. On the loop.
   *
   * @throws IllegalArgumentException when references are inside of one
   */
  @SuppressWarnings("ReferenceEquality") // a mark, not a value
  List<Argument> arguments(long owner, Prepared code) {
    int reference = 0;
    List<Argument> arguments = new ArrayList<>();
    for (Object kept : code.args()) {
      arguments.add(
          kept == Call.REFERENCE
              ? argument(owner, code.objects()[reference++])
              : Argument.newBuilder()
                  .setValue(kernel.wire().bytes(kept == null ? SharedValue.NULL : kept))
                  .build());
    }
    return arguments;
  }

  private Argument argument(long owner, OwnedObject object) {
    return switch (Objects.requireNonNull(object.outcome(), "an argument is there")) {
      case Outcome.Inline inline -> {
        checkOwn(inline.contained().isEmpty());
        yield Argument.newBuilder().setValue(kernel.wire().bytes(inline.value())).build();
      }
      case Outcome.Stored stored -> {
        checkOwn(stored.contained().isEmpty());
        yield Argument.newBuilder()
            .setObject(
                ObjectArgument.newBuilder()
                    .setOutcome(
                        io.aktis.wire.message.Outcome.newBuilder()
                            .setStored(loans.lend(owner, object, stored))))
            .build();
      }
      case Outcome.Failure failure -> throw new IllegalArgumentException(failure.message());
    };
  }

  private static void checkOwn(boolean holdsNothing) {
    if (!holdsNothing) {
      throw new IllegalArgumentException(
          "the value of an argument holds references, which belong to this job, and the actor to"
              + " another one");
    }
  }

  private void done(Waiting waiting, Outcome outcome) {
    sent.remove(waiting.result.id());
    kernel.follow(new OwnerEvent.Released(List.of(waiting.code.objects())));
    settle(waiting.result, outcome);
  }

  private void settle(OwnedObject object, Outcome outcome) {
    kernel.follow(new OwnerEvent.Put(object, outcome));
  }

  /** Reads an answer that is an outcome. */
  private Outcome outcome(long owner, JobMessage message, OwnedObject object) {
    if (message.hasRefused()) {
      return Refusals.failure(message.getRefused());
    }
    try {
      return loans.outcome(owner, object.id(), message.getOutcome());
    } catch (IllegalArgumentException e) {
      return Outcome.Failure.of(
          FailureKind.TASK_FAILED, "The result is refused: " + e.getMessage());
    }
  }

  /** Says why the result of a call is not there; empty for what is no such call. */
  Optional<String> why(ObjectId result) {
    if (sent.containsKey(result)) {
      return Optional.of("it is made by an actor of another job, which was called");
    }
    for (ArrayDeque<Waiting> queue : lines.values()) {
      if (queue.stream().anyMatch(waiting -> waiting.result.id().equals(result))) {
        return Optional.of("the call of an actor of another job waits for its arguments");
      }
    }
    return Optional.empty();
  }

  /**
   * Cancels a call; waits for what comes of it. Any thread.
   *
   * @return empty when it is no call of an actor of another job that goes on
   */
  Optional<CancelResult> cancel(Cell cell, CancelOptions options) {
    ObjectId result = cell.object().id();
    Withdrawal found = kernel.ask(() -> new Withdrawal(withdrawn(result), sent.get(result)));
    if (found.done) {
      return Optional.of(CancelResult.NEVER_STARTED);
    }
    Sent call = found.sent;
    if (call == null) {
      return Optional.empty();
    }
    ForeignCancel cancel =
        ForeignCancel.newBuilder()
            .setCall(call.number)
            .setForce(options.force())
            .setChildren(options.children())
            .setGraceMs(options.grace().toMillis())
            .build();
    JobMessage answer = requests.ask(call.owner, message -> message.setCancel(cancel));
    return Optional.of(CancelResult.valueOf(answer.getText()));
  }

  /** Whether a call was withdrawn; else where it was sent to, if it was. */
  private record Withdrawal(boolean done, @Nullable Sent sent) {}

  /** Takes a call out that was not sent; tells whether there was one. */
  private boolean withdrawn(ObjectId result) {
    for (var line : lines.entrySet()) {
      for (Waiting waiting : line.getValue()) {
        if (waiting.result.id().equals(result)) {
          line.getValue().remove(waiting);
          advance(line.getKey());
          done(
              waiting,
              Outcome.Failure.of(FailureKind.CANCELLED, "The call was cancelled before it began."));
          return true;
        }
      }
    }
    return false;
  }

  // ---- questions ------------------------------------------------------------------------------

  /** Ends an actor; returns when its name is free. Any thread. */
  void kill(ActorEntry entry) {
    try {
      requests.ask(
          entry.foreignOwner(), message -> message.setKillActor(WireIds.of(entry.actor().id())));
    } catch (ActorDiedException e) {
      Log.LOG.debug("{} was dead before it was killed.", entry.actor(), e);
    }
  }

  /** Loses an actor as if its process had died. Any thread. */
  void lose(ActorEntry entry) {
    requests.ask(
        entry.foreignOwner(), message -> message.setLoseActor(WireIds.of(entry.actor().id())));
  }

  /** Waits for room for one more call where the actor says so; tells whether there is. */
  boolean takeRoom(ActorEntry entry) {
    int limit = entry.options().maxPendingCalls();
    return limit == 0
        || limit > WorkerActors.MANY_PENDING_CALLS
        || requests
            .ask(
                entry.foreignOwner(),
                message -> message.setCallRoom(WireIds.of(entry.actor().id())))
            .getDone();
  }

  /** The session ends: nothing is answered any more. */
  void close() {
    for (ArrayDeque<Waiting> queue : List.copyOf(lines.values())) {
      queue.forEach(waiting -> done(waiting, requests.sessionIsClosed()));
    }
    lines.clear();
  }
}
