package io.aktis.simulation;

import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Task;

/**
 * An attempt that was sent to a worker, as its owner remembers it.
 *
 * @param key its name
 * @param task the task
 * @param attempt the attempt
 * @param lease the lease it was sent to
 * @param node where that is
 * @param scope the references that its code has
 */
record Sent(RunKey key, Task task, int attempt, Lease lease, Address node, Scope scope) {
  @Override
  public String toString() {
    return key + " of " + task.id() + " on " + node;
  }
}
