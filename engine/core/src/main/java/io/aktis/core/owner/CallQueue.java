package io.aktis.core.owner;

import java.util.ArrayDeque;

/** The calls of one caller to one actor that were not sent yet, in the order they were made. */
final class CallQueue {
  final long caller;
  final ArrayDeque<Task> calls = new ArrayDeque<>();

  CallQueue(long caller) {
    this.caller = caller;
  }
}
