package io.aktis.runtime.session;

import io.aktis.Lifetime;
import io.aktis.core.id.ActorId;
import io.aktis.core.owner.Actor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The actors of a session by name, and what they saved for their next life. Thread-safe. */
final class Directory {
  private final Values values;
  private final Map<Key, ActorEntry> named = new ConcurrentHashMap<>();
  private final Map<ActorId, ActorEntry> living = new ConcurrentHashMap<>();

  /** All that somebody may still have a handle on. */
  private final Map<ActorId, WeakReference<ActorEntry>> known = new ConcurrentHashMap<>();

  private final Map<ActorId, List<ActorEntry>> owned = new ConcurrentHashMap<>();
  private final Map<ActorId, Object> checkpoints = new ConcurrentHashMap<>();

  Directory(Values values) {
    this.values = values;
  }

  /** Enters an actor without a name, or under its name; returns who has that name already. */
  @Nullable ActorEntry enter(ActorEntry entry) {
    if (!entry.name().isEmpty()) {
      ActorEntry taken = named.putIfAbsent(new Key(entry.namespace(), entry.name()), entry);
      if (taken != null) {
        return taken;
      }
    }
    living.put(entry.actor().id(), entry);
    known.put(entry.actor().id(), new WeakReference<>(entry));
    return null;
  }

  @Nullable ActorEntry find(String namespace, String name) {
    return named.get(new Key(namespace, name));
  }

  List<String> namespacesOf(String name) {
    TreeSet<String> found = new TreeSet<>();
    for (Key key : named.keySet()) {
      if (key.name.equals(name)) {
        found.add(key.namespace);
      }
    }
    return new ArrayList<>(found);
  }

  /** Takes note of an actor of another job, on which this one has handles. */
  void know(ActorEntry entry) {
    known.put(entry.actor().id(), new WeakReference<>(entry));
  }

  /** Frees the name of a dead actor in this job; returns what it was. */
  @Nullable ActorEntry died(Actor actor) {
    ActorEntry entry = living.remove(actor.id());
    checkpoints.remove(actor.id());
    known.values().removeIf(reference -> reference.get() == null);
    if (entry != null) {
      named.remove(new Key(entry.namespace(), entry.name()), entry);
    }
    return entry;
  }

  /** Notes that an actor which another one makes ends with it, unless it is detached. */
  void ownedBy(@Nullable Actor maker, ActorEntry entry) {
    if (maker != null && entry.options().lifetime() == Lifetime.JOB) {
      owned.computeIfAbsent(maker.id(), id -> new CopyOnWriteArrayList<>()).add(entry);
    }
  }

  /** Returns the actors that end with this one. */
  List<ActorEntry> takeOwnedBy(Actor owner) {
    List<ActorEntry> entries = owned.remove(owner.id());
    return entries == null ? List.of() : entries;
  }

  /** Returns an actor, living or dead, on which somebody has a handle. */
  @Nullable ActorEntry known(ActorId id) {
    WeakReference<ActorEntry> entry = known.get(id);
    return entry == null ? null : entry.get();
  }

  /** Returns a living actor. */
  @Nullable ActorEntry entry(Actor actor) {
    return living.get(actor.id());
  }

  Optional<String> nameOf(Actor actor) {
    ActorEntry entry = living.get(actor.id());
    return entry == null || entry.name().isEmpty() ? Optional.empty() : Optional.of(entry.name());
  }

  List<ActorEntry> all() {
    return new ArrayList<>(living.values());
  }

  void saveCheckpoint(Actor actor, Object state) {
    Object kept =
        values.codec().isImmutable(state)
            ? new SharedValue(state)
            : values.encode(state).detached();
    checkpoints.put(actor.id(), kept);
  }

  /** Keeps what an actor has saved, in the form in which it is kept. */
  void keepCheckpoint(ActorId actor, Object kept) {
    checkpoints.put(actor, kept);
  }

  @Nullable Object keptCheckpoint(Actor actor) {
    return checkpoints.get(actor.id());
  }

  Optional<Object> checkpoint(Actor actor) {
    Object kept = checkpoints.get(actor.id());
    return kept == null ? Optional.empty() : Optional.ofNullable(values.readKept(kept));
  }

  private record Key(String namespace, String name) {}

  /** Lets somebody wait until an actor is dead. */
  static CountDownLatch newDeath() {
    return new CountDownLatch(1);
  }
}
