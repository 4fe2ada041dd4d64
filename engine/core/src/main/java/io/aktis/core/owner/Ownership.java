package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import io.aktis.core.invariant.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one owner: who holds them, where their copies are, and how to make them again.
 *
 * <p><b>Counting.</b> An object is held by each open reference, by each task that has it as an
 * argument until that task is done, and by each value that contains a reference to it. When nobody
 * holds it, its copies are deleted and what it contains is let go in turn. A reference that was
 * lost without being closed keeps its count; the shell then deletes the copies when the collector
 * proves that nobody can ask for them, so a count that is too high costs time and never memory.
 *
 * <p><b>Hand-over.</b> References inside a value become the value's own: whoever gets the value
 * gets them, with location and lineage, and they live as long as it.
 *
 * <p><b>Lineage.</b> A task whose result lies in a store keeps its code and inlined arguments, so
 * that it can run again when the store is lost; its arguments are made again first where they are
 * gone too. So what such a task was given is pinned: of an argument that nobody holds any more the
 * copies are deleted, but the task that made it is remembered in turn; a small argument stays as it
 * is. Lineage is bounded: beyond the limit the oldest is forgotten and what it made can be lost.
 * Results that live with the owner need no lineage: they go only with the owner itself. Values that
 * were put have none.
 *
 * <p>Confined to the owner's loop.
 */
final class Ownership {
  private final Effects effects;
  private final long maxLineageBytes;
  private final Map<NodeId, LinkedHashSet<OwnedObject>> stored = new LinkedHashMap<>();
  private final LinkedHashSet<Task> lineage = new LinkedHashSet<>();
  private final ArrayDeque<OwnedObject> settled = new ArrayDeque<>();
  private final ArrayDeque<OwnedObject> unheld = new ArrayDeque<>();
  private final ArrayDeque<Task> unneeded = new ArrayDeque<>();
  private long lineageBytes;

  Ownership(Effects effects, long maxLineageBytes) {
    this.effects = effects;
    this.maxLineageBytes = maxLineageBytes;
  }

  /** Records the outcome of an object, and tells the shell. Dependents are told by the machine. */
  void settle(OwnedObject object, Outcome outcome) {
    Invariant.check(object.awaitsOutcome(), "an object is settled once", object);
    boolean released = object.state == OwnedObject.State.RELEASED;
    switch (outcome) {
      case Outcome.Inline inline -> {
        object.state = OwnedObject.State.INLINE;
        contain(object, inline.contained());
      }
      case Outcome.Stored there -> {
        object.state = OwnedObject.State.STORED;
        object.nodes = List.of(there.node());
        object.sizeBytes = there.sizeBytes();
        stored.computeIfAbsent(there.node(), node -> new LinkedHashSet<>()).add(object);
        contain(object, there.contained());
      }
      case Outcome.Failure _ -> {
        object.state = OwnedObject.State.FAILED;
      }
    }
    object.outcome = outcome;
    object.told = true;
    effects.add(new OwnerEffect.Settle(object, outcome));
    settled.add(object);
    if (released) {
      unheld.add(object);
      drain();
    }
  }

  private static void contain(OwnedObject object, List<OwnedObject> contained) {
    object.contained = contained;
    for (int i = 0; i < contained.size(); i++) {
      contained.get(i).holds++;
    }
  }

  /** Returns the next settled object whose dependents were not told yet. */
  @Nullable OwnedObject nextSettled() {
    return settled.poll();
  }

  /** One more reference is open. */
  void handleOpened(OwnedObject object) {
    object.handles++;
  }

  /** One reference less is open; nothing to do when the collector has said so before. */
  void handleClosed(OwnedObject object) {
    if (object.collected) {
      return;
    }
    Invariant.check(object.handles > 0, "a reference is closed once", object);
    object.handles--;
    checkHeld(object);
  }

  /** No reference is left that somebody could use. */
  void handlesGone(OwnedObject object) {
    object.handles = 0;
    object.collected = true;
    checkHeld(object);
  }

  void unhold(OwnedObject object) {
    object.holds--;
    Invariant.check(object.holds >= 0, "an object is let go as often as it is held", object);
    checkHeld(object);
  }

  private void checkHeld(OwnedObject object) {
    if (!object.isHeld() && object.state != OwnedObject.State.RELEASED) {
      unheld.add(object);
      drain();
    }
  }

  /** Lets go of what nobody holds or needs, and of what was held or needed only for that. */
  private void drain() {
    while (true) {
      OwnedObject object = unheld.poll();
      Task task = object == null ? unneeded.poll() : null;
      if (object != null) {
        letGo(object);
      } else if (task != null) {
        forget(task);
      } else {
        return;
      }
    }
  }

  private void letGo(OwnedObject object) {
    switch (object.state) {
      case RELEASED -> {}
      case PENDING -> object.state = OwnedObject.State.RELEASED; // settled into nothing later
      case INLINE -> {
        if (object.pins == 0) {
          release(object);
        }
      }
      case STORED -> {
        release(object);
        if (object.pins > 0) {
          count(object);
        } else {
          discount(object);
        }
      }
      case FAILED -> release(object);
    }
  }

  private void release(OwnedObject object) {
    deleteCopies(object);
    object.state = OwnedObject.State.RELEASED;
    object.outcome = null;
    letGoContained(object);
  }

  private void letGoContained(OwnedObject object) {
    for (OwnedObject inner : object.contained) {
      inner.holds--;
      if (!inner.isHeld()) {
        unheld.add(inner);
      }
    }
    object.contained = List.of();
  }

  private void deleteCopies(OwnedObject object) {
    for (NodeId node : object.nodes) {
      LinkedHashSet<OwnedObject> there = stored.get(node);
      if (there != null && there.remove(object)) {
        effects.add(new OwnerEffect.DeleteCopy(object, node));
      }
    }
    object.nodes = List.of();
  }

  /** Returns the objects with a copy on a node, as far as is known. */
  Collection<OwnedObject> storedOn(NodeId node) {
    LinkedHashSet<OwnedObject> there = stored.get(node);
    return there == null ? List.of() : Collections.unmodifiableSet(there);
  }

  /** Deletes what an attempt stored that counts no more; not yet where the next may store too. */
  void discardLate(Task task, List<Outcome> outcomes) {
    for (int i = 0; i < task.results.length && i < outcomes.size(); i++) {
      if (task.machine().isDone()) {
        discard(task.results[i], outcomes.get(i));
      } else if (outcomes.get(i) instanceof Outcome.Stored copy) {
        task.addStray(new Stray(task.results[i], copy));
      }
    }
  }

  /** Deletes what earlier attempts of a task stored that is done now. */
  void discardStrays(Task task) {
    List<Stray> strays = task.strays;
    if (!strays.isEmpty()) {
      task.strays = List.of();
      strays.forEach(stray -> discard(stray.object(), stray.copy()));
    }
  }

  /** Deletes a copy that is not wanted, unless the wanted one lies in its place. */
  void discard(OwnedObject object, Outcome outcome) {
    if (outcome instanceof Outcome.Stored copy && !object.nodes.contains(copy.node())) {
      effects.add(new OwnerEffect.DeleteCopy(object, copy.node()));
    }
  }

  // ---- lineage ------------------------------------------------------------------------------

  /** Counts an object among those for which its producer is remembered. */
  private static void count(OwnedObject object) {
    Task producer = object.producer();
    if (producer != null && !object.remembered) {
      object.remembered = true;
      producer.storedResults++;
    }
  }

  /** The producer of an object need not be remembered for it any more. */
  private void discount(OwnedObject object) {
    Task producer = object.producer();
    if (producer != null && object.remembered) {
      object.remembered = false;
      if (--producer.storedResults == 0) {
        unneeded.add(producer);
      }
    }
  }

  /** Keeps what is needed to run {@code task} again, when one of its results lies in a store. */
  void remember(Task task, long payloadBytes) {
    for (OwnedObject result : task.results) {
      if (result.state == OwnedObject.State.STORED) {
        count(result);
      }
    }
    if (task.storedResults == 0) {
      task.dropPayload();
      task.arguments = Task.NONE;
      return;
    }
    if (lineage.add(task)) {
      lineageBytes += payloadBytes;
      for (OwnedObject argument : task.arguments) {
        argument.pins++;
      }
    }
    while (lineageBytes > maxLineageBytes && lineage.size() > 1) {
      forget(lineage.getFirst());
    }
    drain();
  }

  private void forget(Task task) {
    if (takeFromLineage(task)) {
      task.dropPayload();
      task.arguments = Task.NONE;
      task.tell("lineage forgotten");
    }
  }

  /** Takes a task out that is forgotten, or runs again: it is remembered anew when it is done. */
  boolean takeFromLineage(Task task) {
    if (!lineage.remove(task)) {
      return false;
    }
    lineageBytes -= OwnerMachine.payloadBytes(task);
    for (OwnedObject argument : task.arguments) {
      if (--argument.pins == 0 && !argument.isHeld()) {
        if (argument.state == OwnedObject.State.RELEASED) {
          discount(argument);
        } else {
          unheld.add(argument);
        }
      }
    }
    return true;
  }

  /**
   * Takes the copies of a lost node away; returns the objects that have none left. Those among them
   * that only lost values held are released already.
   */
  List<OwnedObject> nodeGone(NodeId node) {
    LinkedHashSet<OwnedObject> there = stored.remove(node);
    if (there == null) {
      return List.of();
    }
    List<OwnedObject> lost = new ArrayList<>();
    for (OwnedObject object : there) {
      object.nodes = object.nodes.stream().filter(other -> !other.equals(node)).toList();
      if (object.nodes.isEmpty()) {
        becomePending(object);
        lost.add(object);
      }
    }
    drain();
    return lost;
  }

  /** An object whose copies are gone is to be made again, or is lost. */
  void becomePending(OwnedObject object) {
    object.state = OwnedObject.State.PENDING;
    object.outcome = null;
    if (object.told) {
      object.told = false;
      effects.add(new OwnerEffect.Unsettle(object));
    }
    Task producer = object.producer();
    if (producer != null && object.remembered) {
      object.remembered = false;
      producer.storedResults--; // decided by who lost it: the producer runs again, or is forgotten
    }
    letGoContained(object);
  }

  /** Settles an object that cannot be made again. */
  void lose(OwnedObject object, Outcome.Failure why) {
    settle(object, why);
    forgetIfUnneeded(object);
  }

  /** Forgets the producer of an object that is not to be made again, if for no other. */
  void forgetIfUnneeded(OwnedObject object) {
    Task producer = object.producer();
    if (producer != null && producer.storedResults == 0) {
      unneeded.add(producer);
      drain();
    }
  }

  /** Returns how many objects lie in stores. */
  int storedObjects() {
    return stored.values().stream().mapToInt(LinkedHashSet::size).sum();
  }

  /** Returns the bytes kept to make lost objects again. */
  long lineageBytes() {
    return lineageBytes;
  }
}
