package io.aktis.simulation;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.LeaseRequest;
import io.aktis.core.lease.PrepareAnswer;
import io.aktis.core.placement.GroupSpec;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.schedule.NodeView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What processes tell each other. */
sealed interface Message {
  // ---- node to all ------------------------------------------------------------------------------

  /** A node introduces its present life, or tells how it is. */
  record Hello(NodeView view) implements Message {
    @Override
    public String toString() {
      return "Hello of " + view.id() + " with " + view.numbers().available() + " free";
    }
  }

  /** A node tells which bundles it has. */
  record Bundles(NodeId node, List<BundleStatus> bundles) implements Message {}

  // ---- owner to node ----------------------------------------------------------------------------

  record AskLease(LeaseRequest request) implements Message {}

  record Satisfied(Demand demand, @Nullable BundleId bundle) implements Message {}

  record GiveBack(LeaseId lease) implements Message {}

  record MarkIdle(LeaseId lease) implements Message {}

  record MarkBusy(LeaseId lease) implements Message {}

  record Push(LeaseId lease, RunSpec run) implements Message {}

  record PushCall(ActorId actor, RunSpec run) implements Message {}

  record Recall(LeaseId lease) implements Message {}

  record Block(LeaseId lease) implements Message {}

  /** Take the CPU of the lease again, then go on as with {@link Wake}. */
  record Unblock(LeaseId lease, Wake wake) implements Message {}

  /** The wait of this number is over: with values, or without when it was broken off. */
  record Wake(RunKey run, int nth, List<Value> values, boolean brokenOff) implements Message {}

  record Interrupt(RunKey run, long ticket) implements Message {}

  record Keep(ObjectId object, long content) implements Message {}

  record DeleteCopy(ObjectId object) implements Message {}

  record EndActor(ActorId actor, LeaseId lease, boolean interrupt) implements Message {}

  // ---- node to owner ----------------------------------------------------------------------------

  record LeaseGranted(LeaseId lease, @Nullable BundleId bundle) implements Message {}

  record LeaseRefused(LeaseId lease, String reason, NodeNumbers numbers) implements Message {
    @Override
    public String toString() {
      return "LeaseRefused[" + lease + ", " + reason + "]";
    }
  }

  record TryAgain() implements Message {}

  record Reclaim(List<LeaseId> leases) implements Message {}

  /** The code of an attempt did something that its owner has to know. */
  record Did(RunKey run, Step step) implements Message {}

  /** The code of an attempt put a value. */
  record DidPut(RunKey run, Made value) implements Message {}

  /** The code of an attempt waits; {@code step} says for what. */
  record Waits(RunKey run, int nth, Step step) implements Message {}

  /** The code of an attempt was interrupted and waits no more. */
  record StopsWaiting(RunKey run, int nth) implements Message {}

  record Succeeded(RunKey run, List<Made> results, long nanos, boolean exits) implements Message {}

  record Threw(RunKey run, boolean retryable, long nanos, boolean exits) implements Message {}

  record ArgumentLost(RunKey run) implements Message {}

  record Returned(LeaseId lease, List<RunKey> runs) implements Message {}

  record Withdrawn(RunKey run) implements Message {}

  record InterruptAnswered(long ticket, boolean interrupted) implements Message {}

  record WorkerLost(LeaseId lease, @Nullable ActorId actor, List<RunKey> started)
      implements Message {}

  record LeaseEnded(LeaseId lease) implements Message {}

  // ---- between nodes, and owner to node
  // ----------------------------------------------------------

  record Fetch(long number, ObjectId object) implements Message {}

  record Fetched(long number, ObjectId object, @Nullable Long content) implements Message {}

  // ---- head and node ----------------------------------------------------------------------------

  record Prepare(GroupId group, int attempt, List<Bundle> bundles, long holdMs)
      implements Message {}

  record Prepared(NodeId node, List<Integer> indexes, PrepareAnswer answer) implements Message {}

  record Commit(GroupId group, List<Integer> indexes, int attempt) implements Message {}

  record Committed(NodeId node, GroupId group, int attempt, boolean done) implements Message {}

  record CancelBundles(GroupId group, List<Integer> indexes, int attempt) implements Message {}

  record RemoveBundles(GroupId group) implements Message {}

  // ---- owner and head ---------------------------------------------------------------------------

  record CreateGroup(GroupId group, GroupSpec spec) implements Message {}

  record RemoveGroup(GroupId group) implements Message {}

  record GroupReady(GroupId group) implements Message {}

  record GroupInfeasible(GroupId group) implements Message {}

  record GroupRemoved(GroupId group) implements Message {}
}
