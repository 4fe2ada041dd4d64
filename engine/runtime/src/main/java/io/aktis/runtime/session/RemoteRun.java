package io.aktis.runtime.session;

import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.Task;

/** One attempt that was sent to a worker process. Confined to the owner's loop. */
final class RemoteRun implements Running {
  private final RemoteWorker worker;
  private final RunKey key;
  private final Task task;
  private final Lease lease;
  private final long number;
  private volatile boolean over;
  private volatile boolean cancelled;

  RemoteRun(RemoteWorker worker, Task task, int attempt, Lease lease, long number) {
    this.worker = worker;
    this.key = new RunKey(task.id(), attempt);
    this.task = task;
    this.lease = lease;
    this.number = number;
  }

  RunKey key() {
    return key;
  }

  Task task() {
    return task;
  }

  /** Returns which of all that was sent to the worker it is, from 1. */
  long number() {
    return number;
  }

  Lease lease() {
    return lease;
  }

  @Override
  public int attempt() {
    return key.attempt();
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Nothing more will be heard of it. */
  void over() {
    over = true;
  }

  @Override
  public boolean isCancelled() {
    return cancelled || over;
  }

  @Override
  public void interrupt(OwnerEffect.Interrupt interrupt, OwnerKernel owner) {
    cancelled = true;
    worker.interrupt(this, interrupt.ticket());
  }

  @Override
  public String toString() {
    return task + " on " + worker;
  }
}
