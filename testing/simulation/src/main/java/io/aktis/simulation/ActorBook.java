package io.aktis.simulation;

import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnedObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The actors of a job, in the order in which its driver made them. */
final class ActorBook {
  private final List<Actor> actors = new ArrayList<>();
  private final Map<Actor, List<OwnedObject>> kept = new LinkedHashMap<>();
  private final Map<Actor, ActorSpec> specs = new LinkedHashMap<>();
  private int released;
  private int killed;

  /** Enters an actor with the arguments that are kept for its next lives. */
  void add(Actor actor, ActorSpec spec, List<OwnedObject> arguments) {
    actors.add(actor);
    specs.put(actor, spec);
    kept.put(actor, arguments);
  }

  /** Returns an actor by its place in the program, null when it was not made. */
  @Nullable Actor get(int index) {
    return index < actors.size() ? actors.get(index) : null;
  }

  int milliCpus(Actor actor) {
    ActorSpec spec = specs.get(actor);
    return spec == null ? 0 : spec.needs().milliCpus();
  }

  /** An actor is dead; returns what was kept for it. */
  List<OwnedObject> died(Actor actor) {
    List<OwnedObject> arguments = kept.remove(actor);
    return arguments == null ? List.of() : arguments;
  }

  /** Returns the actor that lives on a lease. */
  @Nullable Actor on(Lease lease) {
    for (Actor actor : actors) {
      if (actor.lease() == lease) {
        return actor;
      }
    }
    return null;
  }

  /** Returns the next actor that the end of the program releases, null when there is none. */
  @Nullable Actor nextToRelease() {
    return released < actors.size() ? actors.get(released++) : null;
  }

  /** Returns the next actor that has to go, finished or not; null when there is none. */
  @Nullable Actor nextToKill() {
    return killed < actors.size() ? actors.get(killed++) : null;
  }

  List<Actor> all() {
    return actors;
  }
}
