package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Answer;
import io.aktis.wire.message.Question;
import org.jspecify.annotations.Nullable;

/**
 * The reader's end of a stream that code in a worker reads: the values wait at the owner, which is
 * asked for each. Thread-safe.
 */
final class WorkerStream implements StreamEnd {
  private final WorkerKernel kernel;
  private final int limit;
  private volatile @Nullable ObjectId completion;
  private volatile boolean closed;

  WorkerStream(WorkerKernel kernel, int limit) {
    this.kernel = kernel;
    this.limit = StreamBuffer.checkedLimit(limit);
  }

  @Override
  public void readThrough(Cell cell) {
    completion = cell.object().id();
  }

  private ObjectId completion() {
    ObjectId id = completion;
    if (id == null) {
      throw new IllegalStateException("the stream was not submitted");
    }
    return id;
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public @Nullable Cell next() {
    if (closed) {
      return null;
    }
    Answer answer =
        kernel
            .questions()
            .askLending(
                kernel.session().waits().currentRun(),
                Question.newBuilder().setStreamNext(WireIds.of(completion())));
    if (!answer.hasObject()) {
      return null;
    }
    return kernel.cells().taken(WireIds.object(answer.getObject()));
  }

  @Override
  public void end() {}

  @Override
  public boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    return kernel
        .questions()
        .ask(Question.newBuilder().setStreamClose(WireIds.of(completion())))
        .getYes();
  }

  @Override
  public void produce(Run run, @Nullable Object made) {
    throw new IllegalStateException("the values of a stream are made where its task runs");
  }
}
