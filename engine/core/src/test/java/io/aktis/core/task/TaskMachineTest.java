package io.aktis.core.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.invariant.BrokenInvariantError;
import io.aktis.core.task.TaskMachine.Loss;
import org.junit.jupiter.api.Test;

/** Budgets and attempts of one task. */
class TaskMachineTest {
  @Test
  void machine_thatIsNew_waitsWithoutAnAttempt() {
    TaskMachine machine = new TaskMachine(3);
    assertThat(machine.state()).isEqualTo(TaskState.WAITING);
    assertThat(machine.attempt()).isZero();
    assertThat(machine.isDone()).isFalse();
  }

  @Test
  void attempt_whenPushed_isCurrentUntilItEnds() {
    TaskMachine machine = pushed(0);
    assertThat(machine.isCurrent(1)).isTrue();
    assertThat(machine.isCurrent(2)).isFalse();
    machine.succeeded();
    assertThat(machine.isCurrent(1)).isFalse();
    assertThat(machine.isDone()).isTrue();
  }

  @Test
  void attempt_thatIsGivenBack_doesNotCount() {
    TaskMachine machine = pushed(0);
    machine.returned();
    assertThat(machine.state()).isEqualTo(TaskState.QUEUED);
    assertThat(machine.push()).isEqualTo(1);
    assertThat(machine.starts()).isEqualTo(1);
  }

  @Test
  void threw_whenRetryable_retriesUntilTheBudgetIsSpent() {
    TaskMachine machine = pushed(2);
    assertThat(machine.threw(true)).isEqualTo(TaskState.WAITING);
    again(machine);
    assertThat(machine.threw(true)).isEqualTo(TaskState.WAITING);
    again(machine);
    assertThat(machine.threw(true)).isEqualTo(TaskState.FAILED);
    assertThat(machine.attempt()).isEqualTo(3);
  }

  @Test
  void threw_whenNotRetryable_fails() {
    assertThat(pushed(2).threw(false)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void budgets_ofLossesAndFailures_areApart() {
    TaskMachine machine = pushed(1);
    assertThat(machine.threw(true)).isEqualTo(TaskState.WAITING);
    again(machine);
    assertThat(machine.lost(Loss.WHILE_RUNNING)).isEqualTo(TaskState.WAITING);
    again(machine);
    assertThat(machine.lost(Loss.OUT_OF_MEMORY)).isEqualTo(TaskState.WAITING);
    again(machine);
    assertThat(machine.lost(Loss.WHILE_RUNNING)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void lost_beforeTheStart_isFreeAndNoStart() {
    TaskMachine machine = pushed(0);
    for (int i = 0; i < 10; i++) {
      assertThat(machine.lost(Loss.BEFORE_START)).isEqualTo(TaskState.WAITING);
      again(machine);
    }
    assertThat(machine.attempt()).isEqualTo(11);
    assertThat(machine.starts()).isEqualTo(1);
  }

  @Test
  void lost_forMemory_hasASmallBudget() {
    TaskMachine machine = pushed(100);
    for (int i = 0; i < TaskMachine.MEMORY_RETRIES; i++) {
      assertThat(machine.lost(Loss.OUT_OF_MEMORY)).isEqualTo(TaskState.WAITING);
      again(machine);
    }
    assertThat(machine.lost(Loss.OUT_OF_MEMORY)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void lost_asABystander_isFreeButNeedsALossThatIsLeft() {
    TaskMachine machine = pushed(1);
    for (int i = 0; i < 5; i++) {
      assertThat(machine.survivesAsBystander()).isTrue();
      assertThat(machine.lost(Loss.BYSTANDER)).isEqualTo(TaskState.WAITING);
      again(machine);
    }
    assertThat(machine.lost(Loss.WHILE_RUNNING)).isEqualTo(TaskState.WAITING);
    again(machine);
    assertThat(machine.survivesAsBystander()).isFalse();
    assertThat(machine.lost(Loss.BYSTANDER)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void lost_forMemory_pausesLongerEachTime() {
    TaskMachine machine = pushed(100);
    machine.lost(Loss.OUT_OF_MEMORY);
    assertThat(machine.memoryPauseMs()).isEqualTo(TaskMachine.MEMORY_PAUSE_MS);
    again(machine);
    machine.lost(Loss.WHILE_RUNNING);
    again(machine);
    machine.lost(Loss.OUT_OF_MEMORY);
    assertThat(machine.memoryPauseMs()).isEqualTo(2 * TaskMachine.MEMORY_PAUSE_MS);
  }

  @Test
  void cancel_whileItRuns_decidesByHowItEnds() {
    TaskMachine returns = pushed(3);
    returns.requestCancel();
    returns.succeeded();
    assertThat(returns.state()).isEqualTo(TaskState.SUCCEEDED);

    TaskMachine throwing = pushed(3);
    throwing.requestCancel();
    assertThat(throwing.threw(true)).isEqualTo(TaskState.CANCELLED);

    TaskMachine lost = pushed(3);
    lost.requestCancel();
    assertThat(lost.lost(Loss.BEFORE_START)).isEqualTo(TaskState.CANCELLED);
  }

  @Test
  void cancel_whenDone_isIgnored() {
    TaskMachine machine = pushed(0);
    machine.succeeded();
    machine.cancelled();
    assertThat(machine.state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void outputLost_withABudget_runsAgainAndCharges() {
    TaskMachine machine = pushed(1);
    machine.succeeded();
    assertThat(machine.outputLost()).isTrue();
    assertThat(machine.state()).isEqualTo(TaskState.WAITING);
    again(machine);
    machine.succeeded();
    assertThat(machine.outputLost()).isFalse();
    assertThat(machine.state()).isEqualTo(TaskState.SUCCEEDED);
  }

  @Test
  void spentBudgets_whenLost_fail() {
    TaskMachine machine = pushed(5);
    machine.spendBudgets();
    assertThat(machine.lost(Loss.WHILE_RUNNING)).isEqualTo(TaskState.FAILED);
  }

  @Test
  void move_thatIsIllegal_isABug() {
    TaskMachine machine = new TaskMachine(0);
    assertThatThrownBy(machine::push).isInstanceOf(BrokenInvariantError.class);
    assertThatThrownBy(machine::outputLost).isInstanceOf(BrokenInvariantError.class);
  }

  private static TaskMachine pushed(int maxRetries) {
    TaskMachine machine = new TaskMachine(maxRetries);
    again(machine);
    return machine;
  }

  private static void again(TaskMachine machine) {
    machine.argumentsReady();
    machine.push();
  }
}
