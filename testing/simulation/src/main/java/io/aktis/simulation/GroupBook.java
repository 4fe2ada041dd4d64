package io.aktis.simulation;

import io.aktis.core.id.GroupId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.placement.GroupSpec;
import io.aktis.core.placement.PlacementStrategy;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The placement groups of a job, in the order in which its driver made them. */
final class GroupBook {
  private final long owner;
  private final List<Known> groups = new ArrayList<>();

  /** What an owner knows of a group. */
  static final class Known {
    final GroupId id;
    final GroupSpec spec;
    boolean ready;
    boolean toRemove;
    boolean removed;

    private Known(GroupId id, GroupSpec spec) {
      this.id = id;
      this.spec = spec;
    }

    /** Tells whether there is no sense in waiting for it. */
    boolean isDecided() {
      return ready || toRemove || removed;
    }

    /** Returns what is to be asked of the head, null for nothing. */
    @Nullable Message request() {
      if (removed || ready && !toRemove) {
        return null;
      }
      return toRemove ? new Message.RemoveGroup(id) : new Message.CreateGroup(id, spec);
    }
  }

  GroupBook(long owner) {
    this.owner = owner;
  }

  Known create(Step.NewGroup step) {
    List<Bundle> bundles = new ArrayList<>();
    for (int cpus : step.bundleCpus()) {
      bundles.add(new Bundle(bundles.size(), Resources.cpus(cpus)));
    }
    PlacementStrategy strategy = PlacementStrategy.values()[step.strategy()];
    GroupId id = new GroupId(owner, groups.size() + 1L);
    Known known = new Known(id, new GroupSpec("", strategy, bundles, owner, false));
    groups.add(known);
    return known;
  }

  /** Returns a group by its place in the program, null when it was not made. */
  @Nullable Known get(int index) {
    return index < groups.size() ? groups.get(index) : null;
  }

  @Nullable Known get(GroupId id) {
    return get((int) id.number() - 1);
  }

  /** Returns the first group that is not to be removed yet, null when there is none. */
  @Nullable Known nextToRemove() {
    return groups.stream().filter(group -> !group.toRemove).findFirst().orElse(null);
  }

  List<Known> all() {
    return groups;
  }
}
