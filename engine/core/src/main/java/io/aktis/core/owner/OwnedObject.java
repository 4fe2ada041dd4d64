package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One object as its owner knows it. Confined to the owner's loop, but for the id.
 *
 * <p>{@code watcher} is the shell's: what it wakes when the outcome is there. The machine only
 * carries it.
 */
public final class OwnedObject {
  /** Where an object is. */
  public enum State {
    /** It is still being made. */
    PENDING,
    /** It lives with its owner. */
    INLINE,
    /** It lies in stores. */
    STORED,
    /** A failure stands in its place. */
    FAILED,
    /** Nobody holds it any more; its copies are deleted. */
    RELEASED
  }

  private final long owner;
  private final long bits;
  private final @Nullable Task producer;
  private Object watcher;
  State state = State.PENDING;
  @Nullable Outcome outcome;
  List<NodeId> nodes = List.of();
  long sizeBytes;

  /** The shell was told an outcome, and not that it is gone. */
  boolean told;

  /** Counted among the stored results of its producer, for which lineage is kept. */
  boolean remembered;

  /** The collector has found that no reference is left; a close may still be on its way. */
  boolean collected;

  int handles = 1;
  int holds;

  /** How many tasks that are remembered would need it to run again. */
  int pins;

  List<OwnedObject> contained = List.of();
  private List<Task> dependents = List.of();

  /** Makes result {@code index} of a task, which one reference holds. */
  public OwnedObject(Task producer, int index, Object watcher) {
    this.owner = producer.ownerNumber();
    this.bits = producer.resultBits(index);
    this.producer = producer;
    this.watcher = watcher;
  }

  /**
   * Makes an object that one reference holds.
   *
   * @param producer the task that makes it, {@code null} for a value that was put
   * @param watcher what the shell wakes
   */
  public OwnedObject(ObjectId id, @Nullable Task producer, Object watcher) {
    this.owner = id.owner(); // kept as two numbers, for there are many objects
    this.bits = id.bits();
    this.producer = producer;
    this.watcher = watcher;
  }

  /** Returns the id. */
  public ObjectId id() {
    return new ObjectId(owner, bits);
  }

  /** Returns the task that makes it, {@code null} for a value that was put. */
  public @Nullable Task producer() {
    return producer;
  }

  /** Returns what the shell wakes. */
  public Object watcher() {
    return watcher;
  }

  /** Replaces what the shell wakes, with a weaker hold on it for example. */
  public void watcher(Object other) {
    watcher = other;
  }

  /** Returns where it is. */
  public State state() {
    return state;
  }

  /** Returns the nodes that have a copy. */
  public List<NodeId> nodes() {
    return nodes;
  }

  /** Returns its size in the store in bytes, 0 when it is not there. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns what became of it, {@code null} while it is being made. */
  public @Nullable Outcome outcome() {
    return outcome;
  }

  /** Returns how many open references there are, as far as is known. */
  public int handles() {
    return handles;
  }

  /** Returns how many tasks and values hold it. */
  public int holds() {
    return holds;
  }

  /** Tells whether an outcome is news: for whoever waits, though all references may be closed. */
  boolean awaitsOutcome() {
    return state == State.PENDING || state == State.RELEASED && !told;
  }

  boolean isHeld() {
    return handles > 0 || holds > 0;
  }

  boolean exists() {
    return state == State.INLINE || state == State.STORED;
  }

  void addDependent(Task task) {
    if (dependents.isEmpty()) {
      dependents = new ArrayList<>(2);
    }
    dependents.add(task);
  }

  List<Task> takeDependents() {
    List<Task> taken = dependents;
    dependents = List.of();
    return taken;
  }

  @Override
  public String toString() {
    return id() + " " + state;
  }
}
