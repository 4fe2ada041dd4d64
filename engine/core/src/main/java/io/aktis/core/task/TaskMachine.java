package io.aktis.core.task;

import io.aktis.core.invariant.Invariant;
import io.aktis.core.machine.TransitionTable;

/**
 * The life of one task: which state it is in, which attempt is the current one, and whether a
 * failure is retried.
 *
 * <p>Three budgets are kept apart. Losses (the worker or the node went away) and failures of the
 * code itself each count against {@code maxRetries}; kills for memory have a small budget of their
 * own, so that a task that eats a machine does not eat it for ever. Only a loss after the code had
 * started is charged. Attempts are numbered from 1; what an older attempt reports later is stale.
 *
 * <p>Confined to its owner's loop.
 */
public final class TaskMachine {
  /** The moves of a task. */
  public static final TransitionTable<TaskState, TaskEvent> TABLE =
      TransitionTable.of(TaskState.class, TaskEvent.class)
          .startsIn(TaskState.WAITING)
          .on(TaskState.WAITING, TaskEvent.ARGUMENTS_READY, TaskState.QUEUED)
          .on(TaskState.WAITING, TaskEvent.FAILED, TaskState.FAILED)
          .on(TaskState.WAITING, TaskEvent.CANCELLED, TaskState.CANCELLED)
          .on(TaskState.QUEUED, TaskEvent.PUSHED, TaskState.PUSHED)
          .on(TaskState.QUEUED, TaskEvent.ARGUMENTS_LOST, TaskState.WAITING)
          .on(TaskState.QUEUED, TaskEvent.FAILED, TaskState.FAILED)
          .on(TaskState.QUEUED, TaskEvent.CANCELLED, TaskState.CANCELLED)
          .on(TaskState.PUSHED, TaskEvent.RETURNED, TaskState.QUEUED)
          .on(TaskState.PUSHED, TaskEvent.SUCCEEDED, TaskState.SUCCEEDED)
          .on(TaskState.PUSHED, TaskEvent.RETRIED, TaskState.WAITING)
          .on(TaskState.PUSHED, TaskEvent.FAILED, TaskState.FAILED)
          .on(TaskState.PUSHED, TaskEvent.CANCELLED, TaskState.CANCELLED)
          .on(TaskState.SUCCEEDED, TaskEvent.OUTPUT_LOST, TaskState.WAITING)
          .ignores(TaskState.SUCCEEDED, TaskEvent.CANCELLED)
          .ignores(TaskState.FAILED, TaskEvent.CANCELLED)
          .ignores(TaskState.CANCELLED, TaskEvent.CANCELLED)
          .endsIn(TaskState.FAILED)
          .endsIn(TaskState.CANCELLED)
          .build();

  /** Why an attempt was lost. */
  public enum Loss {
    /** The worker or the node went before the code started: nothing is charged. */
    BEFORE_START,
    /** The worker or the node went while the code ran. */
    WHILE_RUNNING,
    /** The attempt was killed because memory ran out. */
    OUT_OF_MEMORY,
    /**
     * The process was killed to end other code in it, while this ran: nothing is charged, but as
     * the code may have done something, there has to be a loss left.
     */
    BYSTANDER
  }

  /** How often a task is run again after it was killed for memory. */
  public static final int MEMORY_RETRIES = 2;

  /** The pause before the first of those; each further one is twice as long. */
  static final long MEMORY_PAUSE_MS = 1_000;

  private TaskState state = TaskState.WAITING;
  private int attempt;
  private int neverStarted;
  private int lossesLeft;
  private int failuresLeft;
  private int memoryKills;
  private int memoryKillsLeft;
  private boolean cancelRequested;

  /**
   * Makes the machine of a new task.
   *
   * @param maxRetries budget of losses, and of failures that are retried
   */
  public TaskMachine(int maxRetries) {
    this.lossesLeft = maxRetries;
    this.failuresLeft = maxRetries;
    this.memoryKillsLeft = Math.min(maxRetries, MEMORY_RETRIES);
  }

  /** Returns the state. */
  public TaskState state() {
    return state;
  }

  /** Returns the number of the current attempt, 0 before the first. */
  public int attempt() {
    return attempt;
  }

  /** Returns how many attempts have started, as far as the owner knows. */
  public int starts() {
    return attempt - neverStarted;
  }

  /** Tells whether the task has its result, whichever. */
  public boolean isDone() {
    return state.ordinal() >= TaskState.SUCCEEDED.ordinal();
  }

  /** Tells whether a cancellation was asked for. */
  public boolean isCancelRequested() {
    return cancelRequested;
  }

  /** Tells whether what {@code number} reports is about the current attempt. */
  public boolean isCurrent(int number) {
    return state == TaskState.PUSHED && attempt == number;
  }

  /** All arguments exist. */
  public void argumentsReady() {
    move(TaskEvent.ARGUMENTS_READY);
  }

  /** Some argument is gone before it started; it is to be made again first. */
  public void argumentsLost() {
    move(TaskEvent.ARGUMENTS_LOST);
  }

  /** Begins the next attempt and returns its number. */
  public int push() {
    move(TaskEvent.PUSHED);
    return ++attempt;
  }

  /** The worker gave the attempt back, not started; it does not count. */
  public void returned() {
    move(TaskEvent.RETURNED);
    attempt--;
  }

  /** The code returned. */
  public void succeeded() {
    move(TaskEvent.SUCCEEDED);
  }

  /** The code threw; decides whether it runs again. Returns the new state. */
  public TaskState threw(boolean retryable) {
    if (cancelRequested) {
      return move(TaskEvent.CANCELLED);
    }
    if (retryable && failuresLeft > 0) {
      failuresLeft--;
      return move(TaskEvent.RETRIED);
    }
    return move(TaskEvent.FAILED);
  }

  /** The attempt was lost; decides whether there is another. Returns the new state. */
  public TaskState lost(Loss loss) {
    if (loss == Loss.BEFORE_START) {
      neverStarted++;
    }
    if (cancelRequested) {
      return move(TaskEvent.CANCELLED);
    }
    return move(charge(loss) ? TaskEvent.RETRIED : TaskEvent.FAILED);
  }

  private boolean charge(Loss loss) {
    return switch (loss) {
      case BEFORE_START -> true;
      case WHILE_RUNNING -> lossesLeft-- > 0;
      case BYSTANDER -> lossesLeft > 0;
      case OUT_OF_MEMORY -> {
        memoryKills++;
        yield memoryKillsLeft-- > 0;
      }
    };
  }

  /**
   * Returns how long to wait before the attempt that follows a kill for memory: what took the
   * memory may be gone by then.
   */
  public long memoryPauseMs() {
    return MEMORY_PAUSE_MS << Math.max(0, memoryKills - 1);
  }

  /** Tells whether the attempt may be lost as that of a bystander, and is then run again. */
  public boolean survivesAsBystander() {
    return lossesLeft > 0;
  }

  /** All copies of a result are gone; decides whether the task runs again. */
  public boolean outputLost() {
    Invariant.check(
        state == TaskState.SUCCEEDED, "only a result that was there can be lost", state);
    if (lossesLeft <= 0) {
      return false;
    }
    lossesLeft--;
    move(TaskEvent.OUTPUT_LOST);
    return true;
  }

  /** Takes away the rest of the budgets: what is lost now stays lost. */
  public void spendBudgets() {
    lossesLeft = 0;
    failuresLeft = 0;
    memoryKillsLeft = 0;
  }

  /** The task can never run. */
  public void failed() {
    move(TaskEvent.FAILED);
  }

  /** Notes that a cancellation was asked for; a run that goes on decides by how it ends. */
  public void requestCancel() {
    cancelRequested = true;
  }

  /** The cancelled task does not run, or its run is given up. */
  public void cancelled() {
    cancelRequested = true;
    move(TaskEvent.CANCELLED);
  }

  private TaskState move(TaskEvent event) {
    state = TABLE.next(state, event);
    return state;
  }

  @Override
  public String toString() {
    return state + " (attempt " + attempt + ")";
  }
}
