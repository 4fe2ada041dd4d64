package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ActorHandles;
import io.aktis.wire.message.ArgumentLost;
import io.aktis.wire.message.Blocked;
import io.aktis.wire.message.Put;
import io.aktis.wire.message.Submit;
import io.aktis.wire.message.SubmittedArgument;
import io.aktis.wire.message.Succeeded;
import io.aktis.wire.message.Threw;
import io.aktis.wire.message.Unblocked;
import io.aktis.wire.message.WorkKind;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.value.Encoded;
import java.util.List;

/** Tells the owner what code in a worker does. Thread-safe. */
final class WorkerReports {
  private final WorkerKernel kernel;

  WorkerReports(WorkerKernel kernel) {
    this.kernel = kernel;
  }

  void report(OwnerEvent event) {
    switch (event) {
      case OwnerEvent.Submitted submitted -> submitted(submitted);
      case OwnerEvent.Put put -> put(put);
      case OwnerEvent.Retained retained -> kernel.cells().retained(retained.objects());
      case OwnerEvent.Released released -> kernel.cells().released(released.objects());
      case OwnerEvent.Blocked blocked -> blocked(blocked);
      case OwnerEvent.Unblocked unblocked ->
          send(
              WorkerToOwner.newBuilder()
                  .setUnblocked(
                      Unblocked.newBuilder()
                          .setRun(RunKey.message(unblocked.task(), unblocked.attempt()))));
      case OwnerEvent.Succeeded succeeded -> succeeded(succeeded);
      case OwnerEvent.Threw threw -> threw(threw);
      case OwnerEvent.ArgumentLost lost -> {
        kernel.desk().over(lost.task(), lost.attempt());
        send(
            WorkerToOwner.newBuilder()
                .setArgumentLost(
                    ArgumentLost.newBuilder().setRun(RunKey.message(lost.task(), lost.attempt()))));
      }
      case OwnerEvent.ActorReleased released -> {
        kernel.actors().forget(released.actor().id());
        send(
            WorkerToOwner.newBuilder()
                .setActorHandles(
                    ActorHandles.newBuilder()
                        .setActor(WireIds.of(released.actor().id()))
                        .setCount(-1)));
      }
      default -> throw new IllegalStateException("a worker does not tell of " + event);
    }
  }

  private void send(WorkerToOwner.Builder message) {
    kernel.send(message);
  }

  // ---- submissions ------------------------------------------------------------------------------

  private void submitted(OwnerEvent.Submitted event) {
    Task task = event.task();
    Call call = (Call) java.util.Objects.requireNonNull(task.payload());
    Submit.Builder submit =
        submission(call)
            .setTask(WireIds.of(task.id()))
            .setKind(task.kind() == TaskKind.CALL ? WorkKind.CALL : WorkKind.TASK)
            .setName(task.name())
            .setCaller(event.caller())
            .setTimeoutMs(event.timeoutMs());
    addArguments(submit, call, task.arguments());
    if (task.actor() != null) {
      submit.setActor(WireIds.of(task.actor().id())).setGroup(call.request().group());
    }
    Holding first = null;
    for (OwnedObject result : task.results()) {
      Holding holding = kernel.cells().made(result);
      first = first == null ? holding : first;
    }
    kernel.cells().submitted(first);
    send(WorkerToOwner.newBuilder().setSubmit(submit));
    letGo(call);
  }

  /** Returns a submission with the code of a call and what was asked for, but no arguments. */
  Submit.Builder submission(Call call) {
    Submit.Builder submit =
        Submit.newBuilder()
            .setFunction(kernel.outcomes().bytes(call.function()))
            .setReturns(call.request().returns())
            .setOptions(kernel.options().bytes(call.request().settings().options()));
    Run run = kernel.session().waits().currentRun();
    if (run != null) {
      submit.setParent(RunKey.message(run.task(), run.attempt()));
    }
    Class<?> type = call.request().type();
    if (type != null) {
      submit.setResultType(type.getName());
    }
    if (call.request().stream() instanceof WorkerStream stream) {
      submit.setStreamBuffer(stream.limit());
    }
    return submit;
  }

  /** Adds the arguments of a call: objects where it refers to them. */
  @SuppressWarnings("ReferenceEquality") // a mark, not a value
  void addArguments(Submit.Builder submit, Call call, OwnedObject[] objects) {
    int reference = 0;
    for (Object kept : call.args()) {
      SubmittedArgument.Builder argument = SubmittedArgument.newBuilder();
      if (kept == Call.REFERENCE) {
        argument.setObject(WireIds.of(objects[reference++].id()));
      } else {
        argument.setValue(kernel.outcomes().bytes(kept == null ? SharedValue.NULL : kept));
      }
      submit.addArguments(argument);
    }
  }

  /** From here on the owner holds what is inside of the arguments. */
  void letGo(Call call) {
    if (!call.request().borrowed().isEmpty()) {
      kernel.cells().released(call.request().borrowed());
    }
    call.request().handles().forEach(Handle::close);
  }

  private void put(OwnerEvent.Put event) {
    kernel.cells().made(event.object());
    send(
        WorkerToOwner.newBuilder()
            .setPut(
                Put.newBuilder()
                    .setObject(WireIds.of(event.object().id()))
                    .setOutcome(kernel.outcomes().message(event.outcome()))));
    kernel.cells().settle((Cell) event.object().watcher(), event.outcome());
    closeHandles(event.outcome());
  }

  /** The owner has handles of its own on the actors inside of a value that was sent to it. */
  private static void closeHandles(Outcome outcome) {
    List<Object> tokens =
        switch (outcome) {
          case Outcome.Inline inline when inline.value() instanceof Encoded encoded ->
              encoded.exported();
          case Outcome.Stored stored -> ((StoredValue) stored.value()).tokens();
          default -> List.of();
        };
    for (Object token : tokens) {
      if (token instanceof Handle<?> handle) {
        handle.close();
      }
    }
  }

  // ---- attempts -------------------------------------------------------------------------------

  private void blocked(OwnerEvent.Blocked event) {
    Blocked.Builder blocked =
        Blocked.newBuilder().setRun(RunKey.message(event.task(), event.attempt()));
    for (OwnedObject object : event.on()) {
      ObjectId id = object.id();
      blocked.addOn(WireIds.of(id));
    }
    send(WorkerToOwner.newBuilder().setBlocked(blocked));
  }

  private void succeeded(OwnerEvent.Succeeded event) {
    kernel.desk().over(event.task(), event.attempt());
    Succeeded.Builder succeeded =
        Succeeded.newBuilder()
            .setRun(RunKey.message(event.task(), event.attempt()))
            .setNanos(event.nanos())
            .setExits(event.exits());
    for (Outcome outcome : event.outcomes()) {
      succeeded.addOutcomes(kernel.outcomes().message(outcome));
    }
    send(WorkerToOwner.newBuilder().setSucceeded(succeeded));
    event.outcomes().forEach(WorkerReports::closeHandles);
  }

  private void threw(OwnerEvent.Threw event) {
    kernel.desk().over(event.task(), event.attempt());
    send(
        WorkerToOwner.newBuilder()
            .setThrew(
                Threw.newBuilder()
                    .setRun(RunKey.message(event.task(), event.attempt()))
                    .setFailure(kernel.outcomes().message(event.failure()))
                    .setRetryable(event.retryable())
                    .setNanos(event.nanos())
                    .setExits(event.exits())));
  }
}
