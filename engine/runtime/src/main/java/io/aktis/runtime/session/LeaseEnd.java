package io.aktis.runtime.session;

import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnerEvent;
import org.jspecify.annotations.Nullable;

/**
 * Ends the work of one lease whose node lives on, because the bundle it ran in is given up: its
 * tasks and its actor fail for good, and the resources go back when the code has ended. Confined to
 * the kernel's loop.
 */
final class LeaseEnd {
  private final OwnerKernel kernel;
  private final NodePort node;
  private final Lease lease;

  LeaseEnd(OwnerKernel kernel, NodePort node, Lease lease) {
    this.kernel = kernel;
    this.node = node;
    this.lease = lease;
  }

  void carryOut(Outcome.Failure failure) {
    Actor actor = actorHere();
    if (actor != null) {
      kernel.follow(new OwnerEvent.ActorKilled(actor, failure.message()));
      return;
    }
    kernel.follow(new OwnerEvent.LeaseEnded(lease, failure));
    node.endWork(lease);
  }

  private @Nullable Actor actorHere() {
    for (ActorEntry entry : kernel.directory().all()) {
      if (entry.actor().lease() == lease) {
        return entry.actor();
      }
    }
    return null;
  }
}
