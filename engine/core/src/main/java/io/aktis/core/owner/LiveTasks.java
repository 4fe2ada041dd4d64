package io.aktis.core.owner;

import io.aktis.core.invariant.Invariant;
import org.jspecify.annotations.Nullable;

/** The tasks of one owner that are not done, the latest first. Confined to the owner's loop. */
final class LiveTasks {
  private @Nullable Task first;
  private int count;

  @Nullable Task first() {
    return first;
  }

  int count() {
    return count;
  }

  void add(Task task) {
    task.previous = null;
    task.next = first;
    if (first != null) {
      first.previous = task;
    }
    first = task;
    count++;
    if (task.parent != null) {
      task.parent.hasChildren = true;
    }
  }

  void remove(Task task) {
    Task before = task.previous;
    Task after = task.next;
    if (before == null) {
      Invariant.check(first == task, "a task that is not done is in the list", task);
      first = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    task.previous = null;
    task.next = null;
    task.parent = liveAncestor(task); // chains of tasks that submit the next one do not pile up
    count--;
  }

  private static @Nullable Task liveAncestor(Task task) {
    Task above = task.parent;
    while (above != null && above.machine().isDone()) {
      above = above.parent;
    }
    return above;
  }
}
