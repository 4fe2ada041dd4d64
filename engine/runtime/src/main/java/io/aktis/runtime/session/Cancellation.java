package io.aktis.runtime.session;

import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import java.time.Duration;
import java.util.List;

/** One cancellation, from the question to what came of it. Confined to the thread that asks. */
final class Cancellation {
  private final OwnerKernel kernel;
  private final Cell cell;
  private final CancelOptions options;

  Cancellation(OwnerKernel kernel, Cell cell, CancelOptions options) {
    this.kernel = kernel;
    this.cell = cell;
    this.options = options;
  }

  CancelResult carryOut() {
    Task task = cell.object().producer();
    if (task == null) {
      return CancelResult.ALREADY_DONE;
    }
    CancelTicket ticket = new CancelTicket();
    kernel.post(new OwnerEvent.CancelAsked(task, options.children(), "somebody asked", ticket));
    CancelResult result = ticket.await();
    if (result != CancelResult.INTERRUPTED || !options.force()) {
      return result;
    }
    return force(task, options.grace());
  }

  private CancelResult force(Task task, Duration grace) {
    long deadline = Waits.deadline(grace);
    Waits waits = kernel.session().waits();
    boolean ended = waits.whileLending(waits.currentRun(), List::of, () -> cell.await(deadline));
    if (ended) {
      return CancelResult.INTERRUPTED;
    }
    String reason = "it ignored the interrupt for " + grace;
    kernel.ask(() -> {
      kernel.follow(
          new OwnerEvent.GivenUp(task, task.machine().attempt(), reason, isBesideActors(task)));
      return true;
    });
    return CancelResult.KILLED;
  }

  /** On the loop. */
  @SuppressWarnings("ReferenceEquality") // a process is the one that it is
  private boolean isBesideActors(Task task) {
    Lease lease = task.lease();
    Object process = lease == null ? null : lease.slot();
    return process != null
        && kernel.directory().all().stream().anyMatch(entry -> entry.actor().runner() == process);
  }
}
