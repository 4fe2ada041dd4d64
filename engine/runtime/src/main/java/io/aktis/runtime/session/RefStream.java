package io.aktis.runtime.session;

import io.aktis.CancelOptions;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The reader's end of a stream of an embedded session.
 *
 * @param <T> type of the values
 */
final class RefStream<T> implements ObjectRefStream<T> {
  private final Kernel kernel;
  private final StreamEnd buffer;
  private final Ref<Void> completion;
  private final AtomicBoolean iterated = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();

  RefStream(Kernel kernel, StreamEnd buffer, Ref<Void> completion) {
    this.kernel = kernel;
    this.buffer = buffer;
    this.completion = completion;
    buffer.readThrough(completion.cell());
  }

  @Override
  public Iterator<ObjectRef<T>> iterator() {
    if (!iterated.compareAndSet(false, true)) {
      throw new IllegalStateException("a stream of references can be iterated once");
    }
    return new Values();
  }

  @Override
  public ObjectRef<Void> completion() {
    return completion;
  }

  /**
   * {@inheritDoc} Cancels before it closes the buffer: a producer that waits for room learns from
   * that that nobody reads, and must by then count as cancelled.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      if (!kernel.session().isClosed()) {
        kernel.cancel(completion.cell(), CancelOptions.DEFAULTS);
      }
    } finally {
      buffer.close();
    }
  }

  /** Gives references as the values are made. Confined to the reader. */
  private final class Values implements Iterator<ObjectRef<T>> {
    private @Nullable Ref<T> next;

    @Override
    public boolean hasNext() {
      if (next == null) {
        kernel.session().checkOpen();
        Cell cell = buffer.next();
        if (cell == null) {
          completion.get(); // throws the failure of the producer
          return false;
        }
        next = new Ref<>(kernel, cell);
      }
      return true;
    }

    @Override
    public ObjectRef<T> next() {
      if (!hasNext()) {
        throw new NoSuchElementException("the stream has ended");
      }
      Ref<T> ref = next;
      next = null;
      return java.util.Objects.requireNonNull(ref);
    }
  }
}
