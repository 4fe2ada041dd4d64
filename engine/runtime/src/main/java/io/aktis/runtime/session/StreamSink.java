package io.aktis.runtime.session;

import org.jspecify.annotations.Nullable;

/** Where a task that makes a stream puts its values. Thread-safe. */
interface StreamSink {
  /** Delivers the values of a stream in the thread of the task that made it. */
  void produce(Run run, @Nullable Object made) throws InterruptedException;
}
