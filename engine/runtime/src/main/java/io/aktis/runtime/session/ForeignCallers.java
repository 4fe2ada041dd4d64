package io.aktis.runtime.session;

import io.aktis.AktisException;
import io.aktis.CancelOptions;
import io.aktis.core.id.ActorId;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Argument;
import io.aktis.wire.message.ForeignCall;
import io.aktis.wire.message.ForeignCancel;
import io.aktis.wire.message.ForeignCreate;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.JobMessage;
import io.aktis.wire.value.Encoded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Other jobs that use the actors of this one: their calls become calls of this job, and what they
 * hold is counted. Confined to the owner's loop.
 */
final class ForeignCallers {
  private record HeldBy(long owner, ActorId actor) {}

  private record CallOf(long owner, long number) {}

  private final OwnerKernel kernel;
  private final JobReplies replies;
  private final Loans loans;
  private final Map<HeldBy, Integer> held = new HashMap<>();
  private final Map<CallOf, Cell> calls = new HashMap<>();

  ForeignCallers(OwnerKernel kernel, JobReplies replies, Loans loans) {
    this.kernel = kernel;
    this.replies = replies;
    this.loans = loans;
  }

  /** Another owner wants something. */
  void received(long owner, JobMessage message) {
    long number = message.getNumber();
    switch (message.getWhatCase()) {
      case HOLD_ACTOR -> replies.now(owner, number, () -> hold(owner, message.getHoldActor()));
      case CALL -> call(owner, number, message.getCall());
      case CANCEL -> cancel(owner, number, message.getCancel());
      case KILL_ACTOR ->
          replies.later(
              owner,
              number,
              () -> {
                kernel.actors().kill(entry(message.getKillActor()));
                return JobReplies.done(true);
              });
      case LOSE_ACTOR ->
          replies.later(
              owner,
              number,
              () -> {
                kernel.actors().lose(entry(message.getLoseActor()));
                return JobReplies.done(true);
              });
      case CALL_ROOM ->
          replies.later(
              owner,
              number,
              () -> JobReplies.done(kernel.actors().takeRoom(entry(message.getCallRoom()), null)));
      case ACTOR_READY -> ready(owner, number, message.getActorReady());
      case CREATE_ACTOR ->
          replies.later(owner, number, () -> create(owner, message.getCreateActor()));
      case RELEASE_ACTOR -> release(owner, WireIds.actor(message.getReleaseActor()), 1);
      case LET_GO -> loans.letGo(owner, WireIds.object(message.getLetGo()));
      default -> Log.LOG.warn("Another job says what is not known here: {}", message);
    }
  }

  // ---- actors ---------------------------------------------------------------------------------

  /** Returns a living actor. Any thread. */
  private ActorEntry entry(Id id) {
    ActorId actor = WireIds.actor(id);
    ActorEntry entry = kernel.directory().known(actor);
    if (entry == null || entry.death().getCount() == 0) {
      throw new io.aktis.ActorDiedException("Actor " + actor + " of another job has ended.");
    }
    return entry;
  }

  private JobMessage.Builder hold(long owner, Id id) {
    ActorEntry entry = entry(id);
    if (!entry.acquire()) {
      throw new io.aktis.ActorDiedException(
          "Actor " + entry.actor().name() + " of another job is about to end.");
    }
    return held(owner, entry);
  }

  private JobMessage.Builder held(long owner, ActorEntry entry) {
    held.merge(new HeldBy(owner, entry.actor().id()), 1, Integer::sum);
    // What is run when it restarts is code of this job, and needed by nobody else.
    return JobMessage.newBuilder()
        .setActor(
            kernel
                .actors()
                .description(entry)
                .setOptions(
                    kernel.wireOptions().message(entry.options()).toBuilder().clearOnRestart()));
  }

  private void release(long owner, ActorId actor, int count) {
    HeldBy key = new HeldBy(owner, actor);
    Integer had = held.get(key);
    ActorEntry entry = kernel.directory().known(actor);
    if (had == null) {
      return; // the link was lost in between
    }
    if (had <= count) {
      held.remove(key);
    } else {
      held.put(key, had - count);
    }
    for (int i = 0; entry != null && i < Math.min(had, count); i++) {
      if (entry.release()) {
        kernel.actors().released(entry);
      }
    }
  }

  private void ready(long owner, long number, Id id) {
    try {
      Cell cell = entry(id).ready();
      cell.whenSettled(
          new Cell.Waiter(settled -> kernel.onLoop(() -> answer(owner, number, settled))));
    } catch (AktisException e) {
      replies.refuse(owner, number, e);
    }
  }

  // ---- calls ----------------------------------------------------------------------------------

  private void call(long owner, long number, ForeignCall call) {
    List<OwnedObject> borrowed = new ArrayList<>();
    try {
      ActorEntry entry = entry(call.getActor());
      checkGroup(entry, call.getGroup());
      Task task = task(owner, entry, call, borrowed);
      Cell cell = SessionEngine.results(task, 1)[0];
      task.arguments(borrowed.toArray(OwnedObject[]::new));
      kernel.admission().entered(TaskKind.CALL);
      calls.put(new CallOf(owner, number), cell);
      kernel.follow(
          new OwnerEvent.Submitted(task, caller(owner, call.getCaller()), call.getTimeoutMs()));
      cell.whenSettled(
          new Cell.Waiter(settled -> kernel.onLoop(() -> over(owner, number, settled))));
    } catch (IllegalArgumentException | AktisException e) {
      FailureKind kind =
          e instanceof AktisException own ? Failures.kindOf(own) : FailureKind.TASK_FAILED;
      replies.now(
          owner, number, () -> outcome(failure(kind, call.getName() + ": " + e.getMessage())));
    } finally {
      kernel.follow(new OwnerEvent.Released(borrowed)); // from here on the call holds them
    }
  }

  private static Outcome.Failure failure(FailureKind kind, String message) {
    return Outcome.Failure.of(kind, message);
  }

  private static void checkGroup(ActorEntry entry, String group) {
    if (!group.isEmpty() && !entry.options().groups().limits().containsKey(group)) {
      throw new IllegalArgumentException(
          "actor " + entry.actor().name() + " has no concurrency group '" + group + "'");
    }
  }

  private Task task(long owner, ActorEntry entry, ForeignCall call, List<OwnedObject> borrowed) {
    Encoded function = Loans.value(call.getFunction());
    Object[] args = arguments(owner, call.getArgumentsList(), borrowed);
    Call.Request request = entry.requestOfWorker(call.getGroup(), List.of(), List.of());
    return new Task.Builder(kernel.nextId(), TaskKind.CALL, call.getName(), null)
        .actor(entry.actor())
        .payload(new Call(function, args, request))
        .build(entry.options().maxTaskRetries());
  }

  /** Reads arguments; those that are lent become objects of this owner, with one reference each. */
  private Object[] arguments(long owner, List<Argument> arguments, List<OwnedObject> borrowed) {
    Object[] args = new Object[arguments.size()];
    for (int i = 0; i < args.length; i++) {
      Argument argument = arguments.get(i);
      if (argument.hasObject()) {
        OwnedObject object = Cell.of(kernel.nextId().result(0)).object();
        Outcome outcome = loans.outcome(owner, object.id(), argument.getObject().getOutcome());
        kernel.follow(new OwnerEvent.Put(object, outcome));
        borrowed.add(object);
        args[i] = Call.REFERENCE;
      } else {
        args[i] = Loans.value(argument.getValue());
      }
    }
    return args;
  }

  /**
   * Returns a number for a caller of another job, which no caller of this one has. That two share
   * one by chance does no harm: their calls are kept in one order then.
   */
  private static long caller(long owner, long caller) {
    long mixed = (owner ^ caller * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
    return mixed | Long.MIN_VALUE >>> 1;
  }

  /** A call is done; answers unless its result is being made again. */
  private void over(long owner, long number, Cell cell) {
    if (calls.get(new CallOf(owner, number)) != cell) {
      return; // the link was lost in between, and the result let go
    }
    if (cell.outcome() == null) {
      cell.whenSettled(
          new Cell.Waiter(settled -> kernel.onLoop(() -> over(owner, number, settled))));
      return;
    }
    calls.remove(new CallOf(owner, number));
    answer(owner, number, cell);
    kernel.follow(new OwnerEvent.Released(List.of(cell.object())));
  }

  private void answer(long owner, long number, Cell cell) {
    Outcome outcome = Objects.requireNonNull(cell.outcome(), "it is settled");
    replies.now(owner, number, () -> told(owner, cell.object(), outcome));
  }

  private JobMessage.Builder told(long owner, OwnedObject object, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Inline inline when inline.contained().isEmpty() && !holdsHandles(inline) ->
          outcome(inline);
      case Outcome.Stored stored when ((StoredValue) stored.value()).handles().isEmpty() ->
          JobMessage.newBuilder()
              .setOutcome(
                  io.aktis.wire.message.Outcome.newBuilder()
                      .setStored(loans.lend(owner, object, stored)));
      case Outcome.Failure failed -> outcome(failed);
      default ->
          outcome(
              failure(
                  FailureKind.NOT_SERIALIZABLE,
                  "The result holds references or handles, which belong to the job of the actor;"
                      + " return values."));
    };
  }

  private static boolean holdsHandles(Outcome.Inline inline) {
    return inline.value() instanceof Encoded encoded && !encoded.handleIds().isEmpty();
  }

  private JobMessage.Builder outcome(Outcome outcome) {
    return JobMessage.newBuilder().setOutcome(kernel.wire().message(outcome));
  }

  private void cancel(long owner, long number, ForeignCancel cancel) {
    Cell cell = calls.get(new CallOf(owner, cancel.getCall()));
    replies.later(
        owner,
        number,
        () ->
            JobMessage.newBuilder()
                .setText(
                    cell == null
                        ? io.aktis.CancelResult.ALREADY_DONE.name()
                        : kernel.cancel(cell, options(cancel)).name()));
  }

  private static CancelOptions options(ForeignCancel cancel) {
    return new CancelOptions(
        cancel.getForce(), Duration.ofMillis(cancel.getGraceMs()), cancel.getChildren());
  }

  // ---- actors that outlive their job ------------------------------------------------------------

  /** Makes an actor for another job, on whose behalf it is held. Waits; not on the loop. */
  private JobMessage.Builder create(long owner, ForeignCreate create) {
    if (!kernel.otherJobs().isKeeper()) {
      throw new IllegalStateException("this job makes no actors for others");
    }
    OwnerActors.Plan plan = kernel.actors().plan(create.getSpec());
    List<OwnedObject> borrowed = new ArrayList<>();
    Prepared code =
        kernel.ask(() -> {
          Encoded function = Loans.value(create.getSpec().getFunction());
          Object[] args = arguments(owner, create.getArgumentsList(), borrowed);
          return new Prepared(
              function, args, borrowed.toArray(OwnedObject[]::new), List.of(), List.of());
        });
    try {
      ActorEntry entry =
          kernel.actors().enter(plan, kernel.nextId(), code, new OwnerActors.Maker(null, null));
      return entry == null ? JobReplies.done(false) : kernel.ask(() -> held(owner, entry));
    } finally {
      kernel.post(new OwnerEvent.Released(borrowed));
      kernel.otherJobs().wasAsked();
    }
  }

  // ---- the end --------------------------------------------------------------------------------

  /** Another owner is gone, or has begun anew: nothing is held for it any more. */
  void lost(long owner) {
    for (var entry : List.copyOf(held.entrySet())) {
      if (entry.getKey().owner == owner) {
        release(owner, entry.getKey().actor, entry.getValue());
      }
    }
    calls
        .entrySet()
        .removeIf(call -> {
          boolean its = call.getKey().owner == owner;
          if (its) {
            kernel.follow(new OwnerEvent.Released(List.of(call.getValue().object())));
          }
          return its;
        });
  }
}
