package io.aktis.core.lease;

import io.aktis.core.id.LeaseId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an owner has not told a node yet of its leases that lie idle. Whoever submits one task after
 * the other leaves its lease idle for some microseconds each time, which nobody else could use: the
 * node hears only of leases that lie idle for longer, or before anything else it is told. To the
 * node it is as if the word had come late, or had been taken back on its way.
 *
 * <p>Not thread-safe.
 */
public final class IdleNews {
  private Set<LeaseId> fresh = new LinkedHashSet<>();
  private Set<LeaseId> older = new LinkedHashSet<>();
  private boolean ticking;

  /**
   * A lease lies idle.
   *
   * @return whether {@link #tick} is to be called some milliseconds from now
   */
  public boolean idle(LeaseId lease) {
    fresh.add(lease);
    boolean starts = !ticking;
    ticking = true;
    return starts;
  }

  /**
   * A lease lies idle no more: it has work again, or is given back.
   *
   * @return whether the node was told that it lies idle, if it ever did
   */
  public boolean notIdle(LeaseId lease) {
    return !fresh.remove(lease) && !older.remove(lease);
  }

  /** Returns all that was not told, which is told now. */
  public List<LeaseId> take() {
    if (fresh.isEmpty() && older.isEmpty()) {
      return List.of();
    }
    List<LeaseId> all = new ArrayList<>(older);
    all.addAll(fresh);
    older.clear();
    fresh.clear();
    return all;
  }

  /** Returns those that lie idle since before the last tick, which are told now. */
  public List<LeaseId> tick() {
    List<LeaseId> due = older.isEmpty() ? List.of() : List.copyOf(older);
    older.clear();
    Set<LeaseId> empty = older;
    older = fresh;
    fresh = empty;
    ticking = !older.isEmpty();
    return due;
  }

  /** Tells whether {@link #tick} is to be called again, some milliseconds after the last. */
  public boolean isTicking() {
    return ticking;
  }
}
