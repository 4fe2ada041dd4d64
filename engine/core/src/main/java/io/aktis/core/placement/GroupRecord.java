package io.aktis.core.placement;

import io.aktis.core.id.GroupId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has to be written down of a group so that another head can go on with it.
 *
 * @param id the group
 * @param spec what it is to be
 * @param created whether it was ever ready
 * @param attempt the last attempt that was started
 * @param placed the bundles that are committed, by index
 */
public record GroupRecord(
    GroupId id,
    GroupSpec spec,
    boolean created,
    int attempt,
    SortedMap<Integer, BundlePlace> placed) {

  /** Copies the map. */
  public GroupRecord {
    placed = Collections.unmodifiableSortedMap(new TreeMap<>(placed));
  }
}
