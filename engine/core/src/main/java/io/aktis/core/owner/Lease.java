package io.aktis.core.owner;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right to run work of one shape on one node, as its owner holds it. Confined to the owner's
 * loop, but for the fields that never change. {@code slot} is the shell's.
 */
public final class Lease {
  private final LeaseGrant grant;
  private final Shape shape;
  private final @Nullable BundleId bundle;
  private @Nullable Object slot;
  final ArrayDeque<Task> inFlight = new ArrayDeque<>(2);

  /** Whose work waits, so that the CPU is lent. */
  @Nullable Task blockedBy;

  boolean recalled;

  /** Its task runs for longer than expected; others should not wait behind it. */
  boolean slow;

  /** The task that was the first at the last check for slow ones. */
  @Nullable Task firstAtCheck;

  private int placeAmongWorking = -1;
  private boolean countedAhead;

  boolean gone;
  long idleSinceMs;

  Lease(LeaseId id, NodeId node, Shape shape, @Nullable BundleId bundle, List<String> gpuIds) {
    this.grant = new LeaseGrant(id, node, gpuIds);
    this.shape = shape;
    this.bundle = bundle;
  }

  /** Returns what the worker knows of it. */
  public LeaseGrant grant() {
    return grant;
  }

  /** Returns the id. */
  public LeaseId id() {
    return grant.id();
  }

  /** Returns the node. */
  public NodeId node() {
    return grant.node();
  }

  /** Returns the shape of its work. */
  public Shape shape() {
    return shape;
  }

  /** Returns the bundle it was granted in, {@code null} outside of groups. */
  public @Nullable BundleId bundle() {
    return bundle;
  }

  /** Returns the devices assigned to its work. */
  public List<String> gpuIds() {
    return grant.gpuIds();
  }

  /** Returns what the shell runs its work on. */
  public @Nullable Object slot() {
    return slot;
  }

  /** Sets what the shell runs its work on. */
  public void slot(Object runner) {
    slot = runner;
  }

  /** Keeps the books of the shape right; after each change of what is in flight or lent. */
  void changed() {
    boolean works = !gone && blockedBy == null && !inFlight.isEmpty();
    if (works && placeAmongWorking < 0) {
      placeAmongWorking = shape.working.size();
      shape.working.add(this);
    } else if (!works && placeAmongWorking >= 0) {
      leaveWorking();
    }
    boolean ahead = !gone && inFlight.size() > 1;
    if (ahead != countedAhead) {
      countedAhead = ahead;
      shape.aheadCount += ahead ? 1 : -1;
    }
  }

  /** Lets the last one take its place: the list may be long, and is walked for each task. */
  private void leaveWorking() {
    Lease last = shape.working.removeLast();
    if (last != this) {
      shape.working.set(placeAmongWorking, last);
      last.placeAmongWorking = placeAmongWorking;
    }
    placeAmongWorking = -1;
  }

  /** Tells whether tasks may be sent ahead to it; an actor in the making takes it along. */
  boolean takesMore() {
    Task first = inFlight.peekFirst();
    return blockedBy == null
        && !recalled
        && !slow
        && (first == null || first.kind() == TaskKind.TASK);
  }

  /** Tells whether tasks wait behind the one it runs and may be asked back. */
  boolean isAhead() {
    return inFlight.size() > 1 && !recalled;
  }

  boolean isIdle() {
    return inFlight.isEmpty();
  }

  @Override
  public String toString() {
    return id() + " on " + node() + " with " + inFlight.size() + " tasks";
  }
}
