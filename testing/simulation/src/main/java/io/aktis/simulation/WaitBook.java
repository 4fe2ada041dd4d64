package io.aktis.simulation;

import io.aktis.core.owner.OwnedObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which code waits for which objects. */
final class WaitBook {
  private final Map<RunKey, Waiting> byRun = new LinkedHashMap<>();
  private final Map<OwnedObject, Set<Waiting>> byObject = new LinkedHashMap<>();

  /**
   * Code that waits.
   *
   * @param run the code
   * @param nth counts its waits
   * @param objects what it waits for
   * @param all for all of them, or for one
   */
  record Waiting(RunKey run, int nth, List<OwnedObject> objects, boolean all) {
    /** Tells whether it can go on: with what it wanted, or with the first failure. */
    boolean isReady() {
      int there = 0;
      for (OwnedObject object : objects) {
        if (object.state() == OwnedObject.State.FAILED) {
          return true;
        }
        there += object.outcome() == null ? 0 : 1;
      }
      return there == objects.size() || !all && there > 0;
    }

    @Override
    public int hashCode() {
      return run.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }
  }

  void add(Waiting waiting) {
    byRun.put(waiting.run(), waiting);
    for (OwnedObject object : waiting.objects()) {
      byObject.computeIfAbsent(object, key -> new LinkedHashSet<>()).add(waiting);
    }
  }

  /** Takes out the wait of some code; null when it does not wait any more, or for something new. */
  @Nullable Waiting take(RunKey run, int nth) {
    Waiting waiting = byRun.get(run);
    if (waiting == null || waiting.nth() != nth) {
      return null;
    }
    forget(run);
    return waiting;
  }

  /** Some code is gone. */
  void forget(RunKey run) {
    Waiting waiting = byRun.remove(run);
    if (waiting != null) {
      for (OwnedObject object : waiting.objects()) {
        Set<Waiting> those = byObject.get(object);
        if (those != null && those.remove(waiting) && those.isEmpty()) {
          byObject.remove(object);
        }
      }
    }
  }

  /** An object is there: takes out who can go on. */
  List<Waiting> settled(OwnedObject object) {
    List<Waiting> ready = new ArrayList<>();
    for (Waiting waiting : byObject.getOrDefault(object, Set.of())) {
      if (waiting.isReady()) {
        ready.add(waiting);
      }
    }
    ready.forEach(waiting -> forget(waiting.run()));
    return ready;
  }
}
