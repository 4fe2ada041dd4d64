package io.aktis.core.placement;

import io.aktis.core.id.GroupId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A group as people see it.
 *
 * @param id the group
 * @param spec what it is to be
 * @param state its state
 * @param waitsFor why it is not ready; empty when it is
 * @param placed the bundles that are committed, by index
 */
public record GroupStatus(
    GroupId id,
    GroupSpec spec,
    PlacementState state,
    String waitsFor,
    SortedMap<Integer, BundlePlace> placed) {

  /** Copies the map. */
  public GroupStatus {
    placed = Collections.unmodifiableSortedMap(new TreeMap<>(placed));
  }
}
