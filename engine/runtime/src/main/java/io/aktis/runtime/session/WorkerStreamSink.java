package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Question;
import io.aktis.wire.message.StreamRoom;
import io.aktis.wire.message.StreamValue;
import io.aktis.wire.message.WorkerToOwner;
import java.util.Iterator;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a task in a worker puts the values of its stream: the owner says when there is room for the
 * next, and whether it is wanted. Confined to the thread of the task.
 */
final class WorkerStreamSink implements StreamSink {
  private final WorkerKernel kernel;
  private final RunKey key;

  WorkerStreamSink(WorkerKernel kernel, RunKey key) {
    this.kernel = kernel;
    this.key = key;
  }

  @Override
  public void produce(Run run, @Nullable Object made) throws InterruptedException {
    try (BaseStream<?, ?> stream = StreamBuffer.checkedStream(made)) {
      long index = 0;
      for (Iterator<?> values = stream.iterator(); values.hasNext(); index++) {
        Object value = values.next();
        if (isWanted(run, index)) {
          deliver(run, index, value);
        }
      }
    }
  }

  /** Waits for room; false when an earlier attempt has delivered the value. */
  private boolean isWanted(Run run, long index) {
    Question.Builder question =
        Question.newBuilder()
            .setStreamRoom(StreamRoom.newBuilder().setRun(key.message()).setIndex(index));
    return kernel.questions().askLending(run, question).getYes();
  }

  private void deliver(Run run, long index, @Nullable Object value) throws InterruptedException {
    ObjectId id = kernel.nextId().result(0);
    Outcome outcome = kernel.values().keep(value, id, run);
    kernel.send(
        WorkerToOwner.newBuilder()
            .setStreamValue(
                StreamValue.newBuilder()
                    .setRun(key.message())
                    .setIndex(index)
                    .setObject(WireIds.of(id))
                    .setOutcome(kernel.outcomes().message(outcome))));
  }
}
