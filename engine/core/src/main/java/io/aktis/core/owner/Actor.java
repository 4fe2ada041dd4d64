package io.aktis.core.owner;

import io.aktis.core.actor.ActorMachine;
import io.aktis.core.id.ActorId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One actor as its owner knows it. Confined to the owner's loop, but for the fields that never
 * change. {@code runner} is the shell's: what holds the instance and runs its calls.
 */
public final class Actor {
  static final int MIN_QUEUES = 64;

  private final ActorId id;
  private final String name;
  private final boolean ordered;
  private final ActorMachine machine;
  private volatile @Nullable Object runner;
  final Map<Long, CallQueue> queues = new LinkedHashMap<>();
  final LinkedHashSet<Task> inFlight = new LinkedHashSet<>();
  int maxQueues = MIN_QUEUES;
  @Nullable Task creation;
  @Nullable Lease lease;
  Outcome.@Nullable Failure death;

  /**
   * Makes an actor.
   *
   * @param name its name, or that of its class
   * @param ordered whether calls of one caller run in their order, one at a time
   */
  public Actor(ActorId id, String name, boolean ordered, int maxRestarts) {
    this.id = id;
    this.name = name;
    this.ordered = ordered;
    this.machine = new ActorMachine(maxRestarts);
  }

  /** Returns the id. */
  public ActorId id() {
    return id;
  }

  /** Returns its name, or that of its class. */
  public String name() {
    return name;
  }

  /** Tells whether calls of one caller run in their order, one at a time. */
  public boolean isOrdered() {
    return ordered;
  }

  /** Returns its life. */
  public ActorMachine machine() {
    return machine;
  }

  /** Returns the lease it lives on, {@code null} while it has none. */
  public @Nullable Lease lease() {
    return lease;
  }

  /** Returns what runs its calls. Any thread may ask. */
  public @Nullable Object runner() {
    return runner;
  }

  /** Sets what runs its calls. */
  public void runner(@Nullable Object hosts) {
    runner = hosts;
  }

  /** Returns why it is dead, {@code null} while it is not. */
  public Outcome.@Nullable Failure death() {
    return death;
  }

  @Override
  public String toString() {
    return name + " (" + id + ") " + machine;
  }
}
