package io.aktis.runtime.session;

import io.aktis.AktisException;
import io.aktis.CallOptions;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ActorLost;
import io.aktis.wire.message.Blocked;
import io.aktis.wire.message.ForeignCall;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.Interrupted;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.Put;
import io.aktis.wire.message.Resume;
import io.aktis.wire.message.Returned;
import io.aktis.wire.message.StreamValue;
import io.aktis.wire.message.Submit;
import io.aktis.wire.message.SubmittedArgument;
import io.aktis.wire.message.Succeeded;
import io.aktis.wire.message.Threw;
import io.aktis.wire.message.WorkKind;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.value.Encoded;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes what one worker process says, and tells the machine in its own words. Confined to the
 * owner's loop.
 */
final class OwnerDesk {
  private final OwnerKernel kernel;
  private final NodeDesk nodes;
  private final RemoteWorker worker;
  private final OwnerAnswers answers;

  OwnerDesk(OwnerKernel kernel, NodeDesk nodes, RemoteWorker worker) {
    this.kernel = kernel;
    this.nodes = nodes;
    this.worker = worker;
    this.answers = new OwnerAnswers(kernel, this, worker);
  }

  void received(List<WorkerToOwner> messages) {
    for (WorkerToOwner message : messages) {
      if (!worker.isGone()) {
        received(message);
        kernel.drain();
      }
    }
  }

  private void received(WorkerToOwner message) {
    switch (message.getMessageCase()) {
      case SUBMIT -> submit(message.getSubmit());
      case PUT -> put(message.getPut());
      case RETAIN -> message.getRetain().getObjectsList().forEach(this::retain);
      case RELEASE -> message.getRelease().getObjectsList().forEach(this::release);
      case BLOCKED -> blocked(message.getBlocked());
      case UNBLOCKED -> unblocked(RunKey.of(message.getUnblocked().getRun()));
      case SUCCEEDED -> succeeded(message.getSucceeded());
      case THREW -> threw(message.getThrew());
      case ARGUMENT_LOST -> argumentLost(RunKey.of(message.getArgumentLost().getRun()));
      case RETURNED -> returned(message.getReturned());
      case INTERRUPTED -> interrupted(message.getInterrupted());
      case ACTOR_LOST -> actorLost(message.getActorLost());
      case ACTOR_GONE -> leaseOver(message.getActorGone().getLease());
      case LEASE_IDLE -> leaseOver(message.getLeaseIdle().getLease());
      case QUESTION -> answers.answer(message.getQuestion());
      case NEED_IDS -> worker.send(OwnerToWorker.newBuilder().setIdRange(nodes.nextRange()));
      case ACTOR_HANDLES -> worker.letsGoActor(WireIds.actor(message.getActorHandles().getActor()));
      case STREAM_VALUE -> streamValue(message.getStreamValue());
      case HELLO -> {} // says who is there, for people who look at the wire
      case MESSAGE_NOT_SET ->
          throw new IllegalArgumentException("an owner does not expect " + message);
    }
  }

  // ---- submissions ------------------------------------------------------------------------------

  private void submit(Submit submit) {
    TaskKind kind = submit.getKind() == WorkKind.CALL ? TaskKind.CALL : TaskKind.TASK;
    Prepared code = prepared(submit);
    TaskId id = WireIds.task(submit.getTask());
    kernel.follow(new OwnerEvent.Retained(code.borrowed()));
    ActorEntry foreign = kind == TaskKind.CALL ? foreign(submit) : null;
    if (foreign != null) {
      callForeign(foreign, submit, id, code);
      return;
    }
    kernel.admission().entered(kind);
    try {
      Task task = kind == TaskKind.CALL ? call(submit, id, code) : task(submit, id, code);
      Cell[] cells = SessionEngine.results(task, Math.max(1, submit.getReturns()));
      task.arguments(code.objects());
      for (Cell cell : cells) {
        worker.holds(cell.object());
      }
      if (((Call) Objects.requireNonNull(task.payload())).request().stream()
          instanceof StreamBuffer stream) {
        stream.readThrough(cells[0]);
        worker.reads(cells[0].object().id(), stream);
      }
      kernel.follow(new OwnerEvent.Submitted(task, submit.getCaller(), submit.getTimeoutMs()));
    } catch (AktisException | IllegalArgumentException e) {
      refuse(submit, id, code, e);
    }
  }

  /** Returns the actor that is called when it is one of another job. */
  private @Nullable ActorEntry foreign(Submit submit) {
    ActorEntry entry = kernel.directory().known(WireIds.actor(submit.getActor()));
    return entry != null && entry.isForeign() ? entry : null;
  }

  private void callForeign(ActorEntry entry, Submit submit, TaskId id, Prepared code) {
    Optional<String> problem = ForeignActors.problem(code);
    if (problem.isPresent()) {
      fail(submit, id, code, new IllegalArgumentException(problem.get()));
      return;
    }
    ForeignCall.Builder call =
        ForeignCall.newBuilder()
            .setName(submit.getName())
            .setGroup(submit.getGroup())
            .setCaller(submit.getCaller())
            .setTimeoutMs(submit.getTimeoutMs());
    OwnedObject result = object(id.result(0));
    worker.holds(result);
    kernel.otherJobs().actors().call(entry, call, code, result);
  }

  /** Work that cannot be submitted as it is: its results are the failure. */
  private void refuse(Submit submit, TaskId id, Prepared code, RuntimeException e) {
    kernel.admission().done(TaskKind.TASK);
    fail(submit, id, code, e);
  }

  private void fail(Submit submit, TaskId id, Prepared code, RuntimeException e) {
    kernel.follow(new OwnerEvent.Released(code.borrowed()));
    code.handles().forEach(Handle::close);
    FailureKind kind =
        e instanceof AktisException own ? Failures.kindOf(own) : FailureKind.TASK_FAILED;
    Outcome.Failure failure =
        new Outcome.Failure(
            kind,
            submit.getName() + " was not submitted: " + e.getMessage(),
            kernel.values().codec().encodeThrowable(e),
            0,
            List.of(),
            List.of());
    for (int i = 0; i < Math.max(1, submit.getReturns()); i++) {
      OwnedObject object = object(id.result(i));
      kernel.follow(new OwnerEvent.Put(object, failure));
      worker.holds(object);
    }
  }

  private static OwnedObject object(ObjectId id) {
    return Cell.of(id).object();
  }

  Prepared prepared(Submit submit) {
    Encoded function = kernel.wire().kept(submit.getFunction());
    Object[] args = new Object[submit.getArgumentsCount()];
    List<OwnedObject> objects = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      SubmittedArgument argument = submit.getArguments(i);
      if (argument.hasObject()) {
        args[i] = Call.REFERENCE;
        objects.add(found(argument.getObject()));
      } else {
        args[i] = kernel.wire().kept(argument.getValue());
      }
    }
    return Prepared.of(function, args, objects);
  }

  private OwnedObject found(Id id) {
    OwnedObject object = kernel.exports().find(WireIds.object(id));
    if (object == null) {
      throw new IllegalStateException(
          worker + " speaks of " + WireIds.object(id) + ", which nobody holds");
    }
    return object;
  }

  /** Returns the task in which a submission was made, {@code null} for none that counts. */
  @Nullable Task parent(Submit submit) {
    RemoteRun run = submit.hasParent() ? worker.run(RunKey.of(submit.getParent())) : null;
    return run == null ? null : run.task();
  }

  private Task task(Submit submit, TaskId id, Prepared code) {
    CallOptions options = kernel.wireOptions().options(submit.getOptions());
    Settings settings = kernel.settings(options, false);
    StreamSink stream =
        submit.getStreamBuffer() == 0 ? null : new StreamBuffer(kernel, submit.getStreamBuffer());
    Class<?> type =
        submit.getResultType().isEmpty() ? null : kernel.wireOptions().type(submit.getResultType());
    Call.Request request =
        new Call.Request(
            submit.getReturns(),
            type,
            stream,
            options.retryOn(),
            "",
            false,
            settings,
            null,
            code.borrowed(),
            code.handles());
    return new Task.Builder(id, TaskKind.TASK, submit.getName(), parent(submit))
        .shape(settings.shape())
        .payload(new Call(code.function(), code.args(), request))
        .build(options.maxRetries());
  }

  private Task call(Submit submit, TaskId id, Prepared code) {
    ActorEntry entry = kernel.directory().known(WireIds.actor(submit.getActor()));
    if (entry == null) {
      throw new IllegalStateException(worker + " calls an actor that nobody holds");
    }
    Call.Request request =
        entry.requestOfWorker(submit.getGroup(), code.borrowed(), code.handles());
    return new Task.Builder(id, TaskKind.CALL, submit.getName(), parent(submit))
        .actor(entry.actor())
        .payload(new Call(code.function(), code.args(), request))
        .build(entry.options().maxTaskRetries());
  }

  private void put(Put put) {
    OwnedObject object = object(WireIds.object(put.getObject()));
    kernel.follow(new OwnerEvent.Put(object, kernel.wire().outcome(put.getOutcome())));
    worker.holds(object);
  }

  private void retain(Id id) {
    OwnedObject object = found(id);
    kernel.follow(new OwnerEvent.Retained(List.of(object)));
    worker.holds(object);
  }

  private void release(Id id) {
    worker.letsGo(WireIds.object(id));
  }

  // ---- attempts -------------------------------------------------------------------------------

  private void blocked(Blocked blocked) {
    RemoteRun run = worker.run(RunKey.of(blocked.getRun()));
    if (run == null) {
      return;
    }
    List<OwnedObject> on = new ArrayList<>();
    for (Id id : blocked.getOnList()) {
      on.add(found(id));
    }
    kernel.follow(new OwnerEvent.Blocked(run.task(), run.attempt(), on));
  }

  private void unblocked(RunKey key) {
    Runnable resume =
        () ->
            worker.send(
                OwnerToWorker.newBuilder().setResume(Resume.newBuilder().setRun(key.message())));
    RemoteRun run = worker.run(key);
    if (run == null) {
      resume.run();
    } else {
      kernel.follow(new OwnerEvent.Unblocked(run.task(), run.attempt(), resume));
    }
  }

  private void succeeded(Succeeded succeeded) {
    RemoteRun run = worker.over(RunKey.of(succeeded.getRun()));
    if (run == null) {
      return;
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (var outcome : succeeded.getOutcomesList()) {
      outcomes.add(kernel.wire().outcome(outcome));
    }
    kernel.follow(
        new OwnerEvent.Succeeded(
            run.task(), run.attempt(), outcomes, succeeded.getNanos(), succeeded.getExits()));
  }

  private void threw(Threw threw) {
    RemoteRun run = worker.over(RunKey.of(threw.getRun()));
    if (run != null) {
      kernel.follow(
          new OwnerEvent.Threw(
              run.task(),
              run.attempt(),
              kernel.wire().failure(threw.getFailure()),
              threw.getRetryable(),
              threw.getNanos(),
              threw.getExits()));
    }
  }

  private void argumentLost(RunKey key) {
    RemoteRun run = worker.over(key);
    if (run != null) {
      kernel.follow(new OwnerEvent.ArgumentLost(run.task(), run.attempt()));
    }
  }

  private void returned(Returned returned) {
    Lease lease = worker.node().leases().get(WireIds.lease(returned.getLease()));
    List<Task> tasks = new ArrayList<>();
    for (var each : returned.getRunsList()) {
      RemoteRun run = worker.over(RunKey.of(each));
      if (run != null) {
        tasks.add(run.task());
      }
    }
    if (lease != null) {
      kernel.follow(new OwnerEvent.Returned(lease, tasks));
    }
  }

  private void interrupted(Interrupted interrupted) {
    worker.interrupted(
        interrupted.getTicket(),
        switch (interrupted.getEnding()) {
          case BEFORE_START -> Run.Ended.BEFORE_START;
          case WHILE_RUNNING -> Run.Ended.WHILE_RUNNING;
          case AFTERWARDS, UNRECOGNIZED -> Run.Ended.AFTERWARDS;
        });
  }

  private void actorLost(ActorLost lost) {
    ActorEntry entry = kernel.directory().known(WireIds.actor(lost.getActor()));
    if (entry == null) {
      return;
    }
    List<Task> started = new ArrayList<>();
    for (var each : lost.getStartedList()) {
      RemoteRun run = worker.run(RunKey.of(each));
      if (run != null) {
        started.add(run.task());
      }
    }
    worker.forget(entry.actor());
    kernel.actors().lost(entry.actor(), started);
  }

  /** What ran on a lease has ended, as was asked: the lease goes back. */
  private void leaseOver(Id id) {
    LeaseId lease = WireIds.lease(id);
    Lease held = worker.node().leases().get(lease);
    if (held != null) {
      worker.ended(held);
      worker.node().release(held);
    }
  }

  private void streamValue(StreamValue value) {
    OwnedObject object = object(WireIds.object(value.getObject()));
    kernel.exports().add(object);
    kernel.follow(new OwnerEvent.Put(object, kernel.wire().outcome(value.getOutcome())));
    RemoteRun run = worker.run(RunKey.of(value.getRun()));
    StreamBuffer stream = run == null ? null : stream(run);
    if (run == null || stream == null) {
      kernel.follow(new OwnerEvent.Released(List.of(object)));
    } else {
      stream.deliver(run, value.getIndex(), (Cell) object.watcher());
    }
  }

  static @Nullable StreamBuffer stream(RemoteRun run) {
    return run.task().payload() instanceof Call call
            && call.request().stream() instanceof StreamBuffer stream
        ? stream
        : null;
  }
}
