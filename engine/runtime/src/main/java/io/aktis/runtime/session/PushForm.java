package io.aktis.runtime.session;

import com.google.protobuf.ByteString;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ActorPart;
import io.aktis.wire.message.Argument;
import io.aktis.wire.message.ObjectArgument;
import io.aktis.wire.message.Push;
import io.aktis.wire.message.WorkKind;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;

/** Makes the messages that send work to workers. Confined to the owner's loop. */
final class PushForm {
  private final OwnerKernel kernel;
  private final Map<Settings, ByteString> options = new WeakHashMap<>();

  PushForm(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  Push push(RemoteRun run) {
    Task task = run.task();
    Call call = (Call) Objects.requireNonNull(task.payload());
    Call.Request request = call.request();
    Push.Builder push =
        Push.newBuilder()
            .setRun(run.key().message())
            .setNumber(run.number())
            .setKind(kind(task.kind()))
            .setName(task.name())
            .setLease(WireIds.of(run.lease().id()))
            .addAllGpuIds(run.lease().gpuIds())
            .setFunction(kernel.wire().bytes(call.function()))
            .setReturns(request.returns())
            .setStream(request.stream() != null)
            .setGroup(request.group())
            .setOptions(options.computeIfAbsent(request.settings(), this::bytes));
    if (request.type() != null) {
      push.setResultType(request.type().getName());
    }
    addArguments(push, call, task.arguments());
    kernel.exports().addAll(request.borrowed());
    if (task.actor() != null) {
      push.setActor(actor(task.actor(), task.kind()));
    }
    return push.build();
  }

  private static WorkKind kind(TaskKind kind) {
    return switch (kind) {
      case TASK -> WorkKind.TASK;
      case CREATION -> WorkKind.CREATION;
      case CALL -> WorkKind.CALL;
    };
  }

  private ByteString bytes(Settings settings) {
    return kernel.wireOptions().bytes(settings.options());
  }

  @SuppressWarnings("ReferenceEquality") // a mark, not a value
  private void addArguments(Push.Builder push, Call call, OwnedObject[] objects) {
    int reference = 0;
    for (Object kept : call.args()) {
      Argument.Builder argument = Argument.newBuilder();
      if (kept == Call.REFERENCE) {
        argument.setObject(argument(objects[reference++]));
      } else {
        argument.setValue(kernel.wire().bytes(kept == null ? SharedValue.NULL : kept));
      }
      push.addArguments(argument);
    }
  }

  private ObjectArgument.Builder argument(OwnedObject object) {
    Outcome outcome = Objects.requireNonNull(object.outcome(), "an argument that is not there");
    kernel.exports().addContained(outcome);
    return ObjectArgument.newBuilder()
        .setObject(WireIds.of(object.id()))
        .setOutcome(kernel.wire().message(outcome));
  }

  private ActorPart.Builder actor(Actor actor, TaskKind kind) {
    ActorPart.Builder part =
        ActorPart.newBuilder().setActor(WireIds.of(actor.id())).setName(actor.name());
    ActorEntry entry = kernel.directory().entry(actor);
    if (kind == TaskKind.CREATION && entry != null) {
      part.setLife(actor.machine().lives() + 1)
          .setOrdered(actor.isOrdered())
          .setOptions(kernel.wireOptions().message(entry.options()))
          .setGivenName(entry.name())
          .setNamespace(entry.namespace());
      Object checkpoint = kernel.directory().keptCheckpoint(actor);
      if (checkpoint != null) {
        part.setCheckpoint(kernel.wire().bytes(checkpoint));
      }
    }
    return part;
  }
}
