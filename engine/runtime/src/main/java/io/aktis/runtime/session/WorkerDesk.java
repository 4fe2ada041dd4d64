package io.aktis.runtime.session;

import io.aktis.ActorOptions;
import io.aktis.core.id.ActorId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.LeaseGrant;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ActorLost;
import io.aktis.wire.message.ActorPart;
import io.aktis.wire.message.Argument;
import io.aktis.wire.message.EndActor;
import io.aktis.wire.message.Ending;
import io.aktis.wire.message.Interrupt;
import io.aktis.wire.message.Interrupted;
import io.aktis.wire.message.LeaseIdle;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.Push;
import io.aktis.wire.message.Returned;
import io.aktis.wire.message.WorkKind;
import io.aktis.wire.message.WorkerToOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes the messages of the owner: gives work to slots and actors, and passes on what they wait
 * for. Messages come one at a time and in order; what runs reports on its own threads.
 */
final class WorkerDesk {
  private final WorkerKernel kernel;
  private final Map<LeaseId, Slot> slots = new ConcurrentHashMap<>();
  private final Map<ActorId, ActorHost> hosts = new ConcurrentHashMap<>();
  private final Map<RunKey, Run> runs = new ConcurrentHashMap<>();
  private final List<Runnable> toStart = new ArrayList<>();
  private @Nullable Thread receiving;

  WorkerDesk(WorkerKernel kernel) {
    this.kernel = kernel;
  }

  /** Handles messages that came together. */
  void received(List<OwnerToWorker> messages) {
    receiving = Thread.currentThread();
    messages.forEach(this::received);
    receiving = null;
    toStart.forEach(kernel.crew()::execute);
    toStart.clear();
  }

  /** Runs work when the messages that came together are handled; others run it at once. */
  void startLater(Runnable work) {
    if (receiving == Thread.currentThread()) {
      toStart.add(work);
    } else {
      kernel.crew().execute(work);
    }
  }

  private void received(OwnerToWorker message) {
    switch (message.getMessageCase()) {
      case PUSH -> push(message.getPush());
      case RECALL -> recall(WireIds.lease(message.getRecall().getLease()));
      case INTERRUPT -> interrupt(message.getInterrupt());
      case END_ACTOR -> endActor(message.getEndActor());
      case SETTLE -> {
        ObjectId id = WireIds.object(message.getSettle().getObject());
        kernel.cells().settle(id, kernel.outcomes().outcome(message.getSettle().getOutcome()));
      }
      case UNSETTLE -> kernel.cells().unsettle(WireIds.object(message.getUnsettle().getObject()));
      case RESUME -> resume(RunKey.of(message.getResume().getRun()));
      case ANSWER -> {
        if (message.getAnswer().hasObject()) {
          kernel.cells().announce(WireIds.object(message.getAnswer().getObject()));
        }
        kernel.questions().answered(message.getAnswer());
      }
      case ID_RANGE ->
          kernel.ids().add(message.getIdRange().getFirst(), message.getIdRange().getCount());
      case COLLECT -> Pressure.collectLater();
      case END_LEASE -> endLease(WireIds.lease(message.getEndLease().getLease()));
      case HELLO, MESSAGE_NOT_SET ->
          throw new IllegalArgumentException("a worker does not expect " + message);
    }
  }

  // ---- work -----------------------------------------------------------------------------------

  private void push(Push push) {
    LeaseGrant lease =
        new LeaseGrant(
            WireIds.lease(push.getLease()),
            kernel.parts().place().at().node(),
            push.getGpuIdsList());
    ActorHost host =
        push.getKind() == WorkKind.CALL
            ? hosts.get(WireIds.actor(push.getActor().getActor()))
            : null;
    Task task = task(push, host);
    if (task.kind() == TaskKind.CREATION) {
      host = newHost(push.getActor(), task);
    } else if (task.kind() == TaskKind.CALL && host == null) {
      return; // its actor has ended: the owner knows, or will
    }
    Run run = new Run(kernel, task, push.getRun().getAttempt(), lease, host, push.getNumber());
    runs.put(RunKey.of(push.getRun()), run);
    if (host != null && task.kind() == TaskKind.CALL) {
      host.add(run, push.getGroup());
    } else {
      slots.computeIfAbsent(lease.id(), id -> new Slot(kernel)).add(run);
    }
  }

  private ActorHost newHost(ActorPart part, Task creation) {
    Actor actor = java.util.Objects.requireNonNull(creation.actor());
    ActorOptions options = kernel.options().options(part.getOptions());
    ActorHost host = new ActorHost(kernel, actor, options, part.getLife());
    hosts.put(actor.id(), host);
    kernel.actors().began(part, actor);
    return host;
  }

  /** Makes the task of a push; {@code host} is that of a call whose actor is here. */
  private Task task(Push push, @Nullable ActorHost host) {
    TaskKind kind =
        switch (push.getKind()) {
          case TASK -> TaskKind.TASK;
          case CREATION -> TaskKind.CREATION;
          case CALL -> TaskKind.CALL;
          case UNRECOGNIZED -> throw new IllegalArgumentException("unknown kind of work");
        };
    Task.Builder builder =
        new Task.Builder(WireIds.task(push.getRun().getTask()), kind, push.getName(), null)
            .payload(call(push));
    if (kind == TaskKind.CREATION) {
      ActorPart part = push.getActor();
      builder.actor(
          new Actor(WireIds.actor(part.getActor()), part.getName(), part.getOrdered(), 0));
    } else if (host != null) {
      builder.actor(host.actor());
    }
    Task task = builder.build(0);
    OwnedObject[] results = new OwnedObject[push.getReturns()];
    for (int i = 0; i < results.length; i++) {
      results[i] = new OwnedObject(task, i, task);
    }
    task.results(results);
    return task;
  }

  private Call call(Push push) {
    @Nullable Object[] args = new Object[push.getArgumentsCount()];
    for (int i = 0; i < args.length; i++) {
      args[i] = argument(push.getArguments(i));
    }
    Settings settings = kernel.settings().of(push.getOptions(), push.getKind() != WorkKind.TASK);
    StreamSink stream =
        push.getStream() ? new WorkerStreamSink(kernel, RunKey.of(push.getRun())) : null;
    Class<?> type =
        push.getResultType().isEmpty() ? null : kernel.options().type(push.getResultType());
    Call.Request request =
        stream == null && type == null && push.getGroup().isEmpty()
            ? settings.plain()
            : new Call.Request(
                push.getReturns(),
                type,
                stream,
                settings.options().retryOn(),
                push.getGroup(),
                false,
                settings,
                null,
                List.of(),
                List.of());
    return new Call(kernel.outcomes().kept(push.getFunction()), args, request);
  }

  private Object argument(Argument argument) {
    if (argument.hasValue()) {
      return kernel.outcomes().kept(argument.getValue());
    }
    return switch (kernel.outcomes().outcome(argument.getObject().getOutcome())) {
      case io.aktis.core.owner.Outcome.Inline inline -> inline.value();
      case io.aktis.core.owner.Outcome.Stored stored -> stored.value();
      case io.aktis.core.owner.Outcome.Failure failure ->
          throw new IllegalArgumentException("an argument that failed: " + failure.message());
    };
  }

  /** An attempt is over, and its report is about to be sent. Any thread. */
  void over(Task task, int attempt) {
    runs.remove(new RunKey(task.id(), attempt));
  }

  private void recall(LeaseId lease) {
    Slot slot = slots.get(lease);
    Returned.Builder returned = Returned.newBuilder().setLease(WireIds.of(lease));
    for (Run run : slot == null ? List.<Run>of() : slot.takeUnstarted()) {
      over(run.task(), run.attempt());
      returned.addRuns(RunKey.message(run.task(), run.attempt()));
    }
    kernel.send(WorkerToOwner.newBuilder().setReturned(returned));
  }

  private void interrupt(Interrupt interrupt) {
    RunKey key = RunKey.of(interrupt.getRun());
    Run run = runs.get(key);
    Ending ending = Ending.AFTERWARDS;
    if (run != null) {
      ending =
          switch (run.end()) {
            case BEFORE_START -> Ending.BEFORE_START;
            case WHILE_RUNNING -> Ending.WHILE_RUNNING;
            case AFTERWARDS -> Ending.AFTERWARDS;
          };
      if (ending == Ending.BEFORE_START) {
        runs.remove(key);
      }
    }
    kernel.send(
        WorkerToOwner.newBuilder()
            .setInterrupted(
                Interrupted.newBuilder()
                    .setRun(interrupt.getRun())
                    .setTicket(interrupt.getTicket())
                    .setEnding(ending)));
  }

  private void resume(RunKey key) {
    Run run = runs.get(key);
    if (run != null) {
      run.resume();
    }
  }

  // ---- ends -----------------------------------------------------------------------------------

  private void endActor(EndActor end) {
    ActorId id = WireIds.actor(end.getActor());
    LeaseGrant lease =
        new LeaseGrant(
            WireIds.lease(end.getLease()), kernel.parts().place().at().node(), List.of());
    ActorHost host = hosts.remove(id);
    kernel.actors().ended(id);
    if (host == null) {
      kernel.actorGone(lease);
      return;
    }
    if (end.getLose()) {
      tellLost(id, host); // before an interrupted call can tell its own failure
    }
    host.end(lease, end.getInterrupt());
    runs.values().removeIf(run -> run.host() == host && run.isNew()); // it takes no more
  }

  /** It is as if the process had died: only what had started is lost with it. */
  private void tellLost(ActorId id, ActorHost host) {
    ActorLost.Builder lost = ActorLost.newBuilder().setActor(WireIds.of(id));
    for (Run run : host.withdraw()) {
      lost.addStarted(RunKey.message(run.task(), run.attempt()));
    }
    kernel.send(WorkerToOwner.newBuilder().setActorLost(lost));
  }

  private void endLease(LeaseId lease) {
    Slot slot = slots.remove(lease);
    if (slot == null) {
      tellIdle(lease);
      return;
    }
    slot.abandon();
    slot.whenIdle(() -> tellIdle(lease));
  }

  private void tellIdle(LeaseId lease) {
    kernel.send(
        WorkerToOwner.newBuilder()
            .setLeaseIdle(LeaseIdle.newBuilder().setLease(WireIds.of(lease))));
  }

  /** The owner is gone: everything ends. */
  void abandonAll() {
    slots.values().forEach(Slot::abandon);
    hosts.values().forEach(ActorHost::abandon);
  }
}
