package io.aktis.simulation;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what happened by its kind, to see whether lives are as eventful as they should be. */
public final class Tally {
  private final TreeMap<String, Integer> counts = new TreeMap<>();

  /** Makes an empty tally. */
  public Tally() {}

  void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  void count(Object what) {
    count(what.getClass().getSimpleName());
  }

  /** Adds what another has counted. */
  public void add(Tally other) {
    other.counts.forEach((what, count) -> counts.merge(what, count, Integer::sum));
  }

  /** Returns how often each kind of thing happened. */
  public SortedMap<String, Integer> counts() {
    return Collections.unmodifiableSortedMap(counts);
  }

  /** Returns how often that happened. */
  public int of(String what) {
    return counts.getOrDefault(what, 0);
  }
}
