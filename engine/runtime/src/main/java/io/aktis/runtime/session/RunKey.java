package io.aktis.runtime.session;

import io.aktis.core.id.TaskId;
import io.aktis.core.owner.Task;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Run;

/**
 * Names one attempt of a task.
 *
 * @param task the task
 * @param attempt the attempt
 */
record RunKey(TaskId task, int attempt) {
  static RunKey of(Run message) {
    return new RunKey(WireIds.task(message.getTask()), message.getAttempt());
  }

  static Run message(Task task, int attempt) {
    return Run.newBuilder().setTask(WireIds.of(task.id())).setAttempt(attempt).build();
  }

  Run message() {
    return Run.newBuilder().setTask(WireIds.of(task)).setAttempt(attempt).build();
  }
}
