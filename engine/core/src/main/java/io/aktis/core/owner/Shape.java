package io.aktis.core.owner;

import io.aktis.core.id.LeaseId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue of tasks of one shape, and the leases they run on. Confined to the owner's loop, but
 * for the key.
 */
public final class Shape {
  /** Stands for a time that has not come. */
  static final long NEVER = Long.MAX_VALUE;

  private static final double LEARNING_RATE = 0.2;
  private static final long PIPELINE_NANOS = 500_000;
  private static final long WAKING_NANOS = 20_000;
  private static final int MAX_DEPTH = 2048;

  private final ShapeKey key;
  final ArrayDeque<Task> queue = new ArrayDeque<>();
  final Set<Lease> leases = new LinkedHashSet<>();

  /** Those of the leases that run something and do not wait: at most as many as there are CPUs. */
  final List<Lease> working = new ArrayList<>(2);

  /** How many leases have tasks behind the one they run. */
  int aheadCount;

  final ArrayDeque<Lease> idle = new ArrayDeque<>(2);
  final List<LeaseId> asked = new ArrayList<>(1);

  String reason = "";
  List<String> rejectedBy = List.of();

  /** Tasks in the queue that were cancelled; they are left there until their turn comes. */
  int cancelled;

  /** A node said no since something was free the last time; there is no sense in asking now. */
  boolean refused;

  /** The version of the chooser when it said last that all are busy. */
  long busyVersion = NEVER;

  /** The first of the queue can start nowhere, and nothing has changed since that was found. */
  boolean stuck;

  /** Some node remembers that it refused this shape. */
  boolean hungry;

  boolean infeasible;
  long infeasibleSinceMs = NEVER;
  boolean infeasibleTimer;
  boolean recallTimer;

  /** Why nothing of it runs any more: its group is removed. */
  Outcome.@Nullable Failure gone;

  private double meanNanos = Double.MAX_VALUE;

  Shape(ShapeKey key) {
    this.key = key;
  }

  /** Returns what its tasks have in common. */
  public ShapeKey key() {
    return key;
  }

  /** Returns how many tasks are queued. */
  public int queued() {
    return queue.size() - cancelled;
  }

  /** Returns why the first of them cannot start now. */
  public String reason() {
    return reason;
  }

  /** Learns how long a task of this shape runs. */
  void learn(long nanos) {
    meanNanos =
        meanNanos == Double.MAX_VALUE ? nanos : meanNanos + LEARNING_RATE * (nanos - meanNanos);
  }

  /**
   * Returns how many tasks may be sent ahead to one lease: one, unless tasks are so short that the
   * way to the worker would cost more than they do.
   */
  int depth() {
    return (int) Math.clamp(PIPELINE_NANOS / Math.max(meanNanos, 1), 1, MAX_DEPTH);
  }

  /** Returns how many tasks on one lease are done before the worker of another is woken. */
  int depthBeforeWaking() {
    return (int) Math.clamp(WAKING_NANOS / Math.max(meanNanos, 1), 1, MAX_DEPTH);
  }

  @Override
  public String toString() {
    return key + ": " + queue.size() + " queued on " + leases.size() + " leases";
  }
}
