package io.aktis.runtime.session;

import io.aktis.core.owner.OwnerEffect;

/** An attempt that was sent to a worker, as the shell of its owner knows it. */
interface Running {
  int attempt();

  /** Tells whether it was to be ended. */
  boolean isCancelled();

  /** Tells whether nothing of it runs or will run, as far as is known. */
  boolean isOver();

  /**
   * Ends it: one that has not started never will, one that runs is interrupted. Who asked is told
   * which of both it was. On the owner's loop.
   */
  void interrupt(OwnerEffect.Interrupt interrupt, OwnerKernel owner);
}
