package io.aktis.runtime.session;

import io.aktis.Bundle;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What callers do with placement groups. Thread-safe. */
interface GroupDoor {
  PlacementGroup create(
      PlacementStrategy strategy, List<Bundle> bundles, @Nullable String given, boolean detached);

  /**
   * Returns the group of that name.
   *
   * @throws IllegalArgumentException when there is none
   */
  PlacementGroup find(String name);

  /** Returns the nodes of the bundles of a group in their order, empty before it is ready. */
  List<String> nodeIds(Group group);

  /** Removes a group and waits until its resources are free. */
  void remove(Group group);
}
