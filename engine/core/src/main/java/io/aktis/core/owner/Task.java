package io.aktis.core.owner;

import io.aktis.core.id.TaskId;
import io.aktis.core.task.TaskMachine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work and what its owner knows about it. Confined to the owner's loop, but for the
 * fields that never change.
 *
 * <p>{@code payload} and {@code running} are the shell's: the code with its arguments, and the run
 * of the current attempt. The payload is dropped as soon as nothing can need it again: when no
 * result lies in a store that may be lost.
 */
public final class Task {
  private static final int STORY_LIMIT = 32;
  static final OwnedObject[] NONE = {};

  private final long ownerNumber;
  private final long idBits;
  private final TaskKind kind;
  private final String name;
  private final @Nullable String submittedBy;
  private final TaskMachine machine;
  private final @Nullable Shape shape;
  private final @Nullable Actor actor;
  private @Nullable Object payload;
  private @Nullable Object running;
  OwnedObject[] arguments = NONE;
  OwnedObject[] results = NONE;
  int missing;
  int storedResults;
  @Nullable Lease lease;
  @Nullable CallQueue queue;
  List<OwnedObject> blockedOn = List.of();

  /** Copies that lost attempts stored; they go when the task is done. */
  List<Stray> strays = List.of();

  boolean holdsArguments;

  /** Whether it was killed for memory, and waits before its next attempt. */
  boolean pauses;

  /** The nearest task above this one that was not done when this was looked at. */
  @Nullable Task parent;

  /** Whether it ever submitted something. */
  boolean hasChildren;

  boolean reportedDone;
  String cancelReason = "";
  private List<String> story = List.of();
  private boolean storyCut;

  // The owner's list of tasks that are not done.
  @Nullable Task previous;
  @Nullable Task next;

  private Task(Builder builder, TaskMachine machine) {
    this.ownerNumber = builder.id.owner(); // kept as two numbers, for there are many tasks
    this.idBits = builder.id.bits();
    this.kind = builder.kind;
    this.name = builder.name;
    this.parent = builder.parent;
    this.submittedBy = builder.parent == null ? null : builder.parent.name;
    this.shape = builder.shape;
    this.actor = builder.actor;
    this.payload = builder.payload;
    this.machine = machine;
  }

  /** Returns the id. */
  public TaskId id() {
    return new TaskId(ownerNumber, idBits);
  }

  /** Returns its place in the order of submission of its owner. */
  public long sequence() {
    return id().sequence();
  }

  long ownerNumber() {
    return ownerNumber;
  }

  long resultBits(int index) {
    return id().result(index).bits();
  }

  /** Returns the kind. */
  public TaskKind kind() {
    return kind;
  }

  /** Returns the name as people see it. */
  public String name() {
    return name;
  }

  /** Returns the states and budgets. */
  public TaskMachine machine() {
    return machine;
  }

  /** Returns what it needs and where it may run; {@code null} for a call. */
  public @Nullable Shape shape() {
    return shape;
  }

  /** Returns the actor of a call or a creation. */
  public @Nullable Actor actor() {
    return actor;
  }

  /** Returns the code with its arguments, {@code null} once nothing can need it again. */
  public @Nullable Object payload() {
    return payload;
  }

  /** Returns the lease it runs on. */
  public @Nullable Lease lease() {
    return lease;
  }

  /** Returns the shell's view of the current attempt. */
  public @Nullable Object running() {
    return running;
  }

  /** Sets the shell's view of the current attempt. */
  public void running(@Nullable Object run) {
    running = run;
  }

  /** Returns the results in order. */
  public OwnedObject[] results() {
    return results;
  }

  /** Returns the objects that are arguments. */
  public OwnedObject[] arguments() {
    return arguments;
  }

  /** Sets the objects that are arguments; before the task is submitted. */
  public void arguments(OwnedObject[] objects) {
    arguments = objects;
  }

  /** Sets the results; before the task is submitted. */
  public void results(OwnedObject[] objects) {
    results = objects;
  }

  boolean lacksArguments() {
    for (OwnedObject argument : arguments) {
      if (!argument.exists()) {
        return true;
      }
    }
    return false;
  }

  void addStray(Stray stray) {
    if (strays.isEmpty()) {
      strays = new ArrayList<>(1);
    }
    strays.add(stray);
  }

  void dropPayload() {
    payload = null;
  }

  /** Adds a line to the story; the oldest lines go when there are too many. */
  void tell(String line) {
    if (story.isEmpty()) {
      story = new ArrayList<>(4);
    }
    if (story.size() == STORY_LIMIT) {
      story.removeFirst();
      storyCut = true;
    }
    story.add(line);
  }

  /** Returns the last transitions, oldest first. */
  public List<String> story() {
    List<String> lines = new ArrayList<>(story.size() + 2);
    lines.add("submitted as " + id() + (submittedBy == null ? "" : " by " + submittedBy));
    if (storyCut) {
      lines.add("(older lines left out)");
    }
    lines.addAll(story);
    return List.copyOf(lines);
  }

  @Override
  public String toString() {
    return name + " (" + id() + ") " + machine;
  }

  /** What a task is made of. */
  public static final class Builder {
    private final TaskId id;
    private final TaskKind kind;
    private final String name;
    private final @Nullable Task parent;
    private @Nullable Shape shape;
    private @Nullable Actor actor;
    private @Nullable Object payload;

    /** Starts a task. */
    public Builder(TaskId id, TaskKind kind, String name, @Nullable Task parent) {
      this.id = id;
      this.kind = kind;
      this.name = name;
      this.parent = parent;
    }

    /** Sets what it needs and where it may run. */
    public Builder shape(@Nullable Shape needs) {
      shape = needs;
      return this;
    }

    /** Sets the actor of a call or a creation. */
    public Builder actor(Actor owner) {
      actor = owner;
      return this;
    }

    /** Sets the code with its arguments. */
    public Builder payload(Object code) {
      payload = code;
      return this;
    }

    /** Makes the task with its retry budget. */
    public Task build(int maxRetries) {
      return new Task(this, new TaskMachine(maxRetries));
    }
  }
}
