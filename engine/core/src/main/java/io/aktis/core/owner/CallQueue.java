package io.aktis.core.owner;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The calls of one caller to one actor that were not sent yet, in the order they were made. */
final class CallQueue {
  final long caller;
  final ArrayDeque<Task> calls = new ArrayDeque<>();

  /** The first of them, when it was looked at the last time and not ready. */
  @Nullable Task held;

  CallQueue(long caller) {
    this.caller = caller;
  }
}
