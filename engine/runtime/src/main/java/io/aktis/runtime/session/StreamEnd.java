package io.aktis.runtime.session;

import org.jspecify.annotations.Nullable;

/** The reader's end of a stream. Thread-safe. */
interface StreamEnd extends StreamSink {
  /** Returns how many values may wait to be read. */
  int limit();

  /** Takes note of the object that says when the stream has ended, once it is submitted. */
  void readThrough(Cell completion);

  /** Waits for the next value; {@code null} when there is none any more. */
  @Nullable Cell next();

  /** The producer has ended, whichever way. */
  void end();

  /** Frees what was not read and lets the producer end; returns whether it was open. */
  boolean close();
}
