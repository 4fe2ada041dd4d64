package io.aktis.core.owner;

import io.aktis.core.id.NodeId;
import io.aktis.core.invariant.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * gone too. Lineage is bounded: beyond the limit the oldest is forgotten and what it made can be
 * lost. Results that live with the owner need no lineage: they go only with the owner itself.
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
  private long lineageBytes;

  Ownership(Effects effects, long maxLineageBytes) {
    this.effects = effects;
    this.maxLineageBytes = maxLineageBytes;
  }

  /** Records the outcome of an object, and tells the shell. Dependents are told by the machine. */
  void settle(OwnedObject object, Outcome outcome) {
    Invariant.check(
        object.state == OwnedObject.State.PENDING || object.state == OwnedObject.State.RELEASED,
        "an object is settled once",
        object);
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
    effects.add(new OwnerEffect.Settle(object, outcome));
    settled.add(object);
    if (released) {
      letGo(object);
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

  /** One reference less is open. */
  void handleClosed(OwnedObject object) {
    Invariant.check(object.handles > 0, "a reference is closed once", object);
    object.handles--;
    checkHeld(object);
  }

  /** No reference is left that somebody could use. */
  void handlesGone(OwnedObject object) {
    object.handles = 0;
    checkHeld(object);
  }

  void hold(OwnedObject object) {
    object.holds++;
  }

  void unhold(OwnedObject object) {
    object.holds--;
    Invariant.check(object.holds >= 0, "an object is let go as often as it is held", object);
    checkHeld(object);
  }

  /** Without any hold left the copies go, and what the value contains is let go in turn. */
  private void checkHeld(OwnedObject object) {
    if (object.handles == 0 && object.holds == 0 && object.state != OwnedObject.State.RELEASED) {
      unheld.add(object);
      for (OwnedObject next = unheld.poll(); next != null; next = unheld.poll()) {
        letGo(next);
      }
    }
  }

  private void letGo(OwnedObject object) {
    if (object.state == OwnedObject.State.PENDING) {
      object.state = OwnedObject.State.RELEASED; // whoever makes it settles it into nothing
      return;
    }
    deleteCopies(object);
    object.state = OwnedObject.State.RELEASED;
    object.outcome = null;
    for (OwnedObject inner : object.contained) {
      inner.holds--;
      if (inner.handles == 0 && inner.holds == 0) {
        unheld.add(inner);
      }
    }
    object.contained = List.of();
    Task producer = object.producer();
    if (producer != null && object.remembered) {
      object.remembered = false;
      if (--producer.storedResults == 0) {
        forget(producer);
      }
    }
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

  /** Keeps what is needed to run {@code task} again, when one of its results lies in a store. */
  void remember(Task task, long payloadBytes) {
    for (OwnedObject result : task.results) {
      if (result.state == OwnedObject.State.STORED && !result.remembered) {
        result.remembered = true;
        task.storedResults++;
      }
    }
    if (task.storedResults == 0) {
      task.dropPayload();
      task.arguments = new OwnedObject[0];
      return;
    }
    if (lineage.add(task)) {
      lineageBytes += payloadBytes;
    }
    while (lineageBytes > maxLineageBytes && lineage.size() > 1) {
      forget(lineage.getFirst());
    }
  }

  private void forget(Task task) {
    if (lineage.remove(task)) {
      lineageBytes -= OwnerMachine.payloadBytes(task);
      task.dropPayload();
      task.arguments = new OwnedObject[0];
      task.tell("lineage forgotten");
    }
  }

  /** Takes the copies of a lost node away; returns the objects that have none left. */
  List<OwnedObject> nodeGone(NodeId node) {
    LinkedHashSet<OwnedObject> there = stored.remove(node);
    if (there == null) {
      return List.of();
    }
    List<OwnedObject> lost = new ArrayList<>();
    for (OwnedObject object : there) {
      object.nodes = object.nodes.stream().filter(other -> !other.equals(node)).toList();
      if (object.nodes.isEmpty()) {
        object.state = OwnedObject.State.PENDING;
        object.outcome = null;
        object.remembered = false;
        Task producer = object.producer();
        if (producer != null) {
          producer.storedResults--;
        }
        lost.add(object);
      }
    }
    return lost;
  }

  /** Forgets a task that is being run again, for it is remembered anew when it is done. */
  void takeFromLineage(Task task) {
    if (lineage.remove(task)) {
      lineageBytes -= OwnerMachine.payloadBytes(task);
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
