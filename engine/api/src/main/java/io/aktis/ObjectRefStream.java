package io.aktis;

import java.util.Iterator;

/**
 * The values of a task that makes a stream, as references that appear as the values are made.
 *
 * <p>The producer is held back while as many values as the buffer holds are unconsumed. Iterating
 * waits for the next value; when the producer fails, iterating throws its failure after the values
 * it made. When it is run again, it starts anew, and values that were delivered are left out. One
 * consumer iterates, once; {@link #close} may come from any thread: it ends the producer and frees
 * what was not consumed.
 *
 * @param <T> type of the values
 */
public interface ObjectRefStream<T> extends Iterable<ObjectRef<T>>, AutoCloseable {
  /**
   * Returns the iterator over the references; {@code hasNext} waits.
   *
   * @throws IllegalStateException when called a second time
   */
  @Override
  Iterator<ObjectRef<T>> iterator();

  /** Returns a reference that is ready when the producer has ended, failed if it did. */
  ObjectRef<Void> completion();

  /** Cancels the producer and frees the values not consumed. Idempotent. */
  @Override
  void close();
}
