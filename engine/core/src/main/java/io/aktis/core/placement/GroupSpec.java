package io.aktis.core.placement;

import io.aktis.core.lease.Bundle;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * What a placement group is to be.
 *
 * @param name its name, or empty
 * @param strategy how its bundles lie
 * @param bundles at least one, numbered from 0
 * @param job the job it belongs to
 * @param detached whether it outlives its job
 */
public record GroupSpec(
    String name, PlacementStrategy strategy, List<Bundle> bundles, long job, boolean detached) {

  /** Checks the bundles. */
  public GroupSpec {
    bundles = List.copyOf(bundles);
    if (bundles.isEmpty()) {
      throw new IllegalArgumentException("a placement group needs at least one bundle");
    }
    for (int i = 0; i < bundles.size(); i++) {
      if (bundles.get(i).index() != i) {
        throw new IllegalArgumentException("bundles are numbered from 0, without gaps");
      }
    }
  }

  /** Returns a nameless group of these bundles that ends with its job. */
  public static GroupSpec of(PlacementStrategy strategy, long job, Resources... bundles) {
    List<Bundle> numbered = new ArrayList<>(bundles.length);
    for (Resources resources : bundles) {
      numbered.add(new Bundle(numbered.size(), resources));
    }
    return new GroupSpec("", strategy, numbered, job, false);
  }

  @Override
  public String toString() {
    return strategy + " " + bundles.stream().map(Bundle::resources).toList();
  }
}
