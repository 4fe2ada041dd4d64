package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The bundles on one node, and the memory of those that were given up: a preparation that comes
 * after its own cancellation must find the door shut.
 */
final class BundleTable {
  /** How long a given-up group is remembered; far longer than any message is on its way. */
  static final long REMEMBER_MS = 600_000;

  private final LinkedHashMap<GroupId, Group> groups = new LinkedHashMap<>();

  /** One bundle. */
  static final class Slot {
    final Pool pool;
    final GpuSlices slices;
    final int attempt;
    final long expiresAtMs;
    boolean committed;

    Slot(Pool pool, GpuSlices slices, int attempt, long expiresAtMs) {
      this.pool = pool;
      this.slices = slices;
      this.attempt = attempt;
      this.expiresAtMs = expiresAtMs;
    }

    boolean isExpired(long nowMs) {
      return !committed && expiresAtMs <= nowMs;
    }
  }

  private static final class Group {
    final TreeMap<Integer, Slot> slots = new TreeMap<>();

    /** By index: preparations of this attempt and of earlier ones are refused. */
    final TreeMap<Integer, Integer> closedAttempts = new TreeMap<>();

    boolean removed;
    long touchedMs;
  }

  private Group touch(GroupId id, long nowMs) {
    Group group = groups.computeIfAbsent(id, ignored -> new Group());
    group.touchedMs = Math.max(group.touchedMs, nowMs);
    return group;
  }

  @Nullable Slot slot(GroupId id, int index) {
    Group group = groups.get(id);
    return group == null ? null : group.slots.get(index);
  }

  /** Returns why the bundles may not be prepared, whatever is free; null when they may. */
  @Nullable Refusal closedTo(GroupId id, int attempt, List<Bundle> bundles) {
    Group group = groups.get(id);
    if (group == null) {
      return null;
    }
    if (group.removed) {
      return Refusal.GROUP_REMOVED;
    }
    for (Bundle bundle : bundles) {
      Slot slot = group.slots.get(bundle.index());
      int closed = group.closedAttempts.getOrDefault(bundle.index(), Integer.MIN_VALUE);
      if (attempt <= closed || slot != null && attempt < slot.attempt) {
        return Refusal.STALE_ATTEMPT;
      }
      if (slot != null && attempt > slot.attempt) {
        return Refusal.OLD_BUNDLE_HERE;
      }
    }
    return null;
  }

  void put(GroupId id, int index, Slot slot, long nowMs) {
    touch(id, nowMs).slots.put(index, slot);
  }

  /** Shuts the door on the attempt, and takes out the bundles that it brought. */
  List<Slot> close(GroupId id, List<Integer> indexes, int attempt, long nowMs) {
    Group group = touch(id, nowMs);
    List<Slot> taken = new ArrayList<>();
    for (int index : indexes) {
      group.closedAttempts.merge(index, attempt, Math::max);
      Slot slot = group.slots.get(index);
      if (slot != null && slot.attempt <= attempt) {
        group.slots.remove(index);
        taken.add(slot);
      }
    }
    return taken;
  }

  /** Shuts the door for good, and takes out all bundles of the group. */
  List<Slot> remove(GroupId id, long nowMs) {
    Group group = touch(id, nowMs);
    group.removed = true;
    List<Slot> taken = new ArrayList<>(group.slots.values());
    group.slots.clear();
    return taken;
  }

  /** Takes out the bundles that were never committed in time, and forgets old groups. */
  List<Slot> expire(long nowMs) {
    List<Slot> taken = new ArrayList<>();
    for (Group group : groups.values()) {
      for (Slot slot : group.slots.values()) {
        if (slot.isExpired(nowMs)) {
          taken.add(slot);
          group.touchedMs = Math.max(group.touchedMs, nowMs);
        }
      }
      group.slots.values().removeIf(slot -> slot.isExpired(nowMs));
    }
    groups
        .values()
        .removeIf(group -> group.slots.isEmpty() && group.touchedMs + REMEMBER_MS <= nowMs);
    return taken;
  }

  long nextExpiryMs() {
    long next = Long.MAX_VALUE;
    for (Slot slot : slots()) {
      next = slot.committed ? next : Math.min(next, slot.expiresAtMs);
    }
    return next;
  }

  /** Returns the pools of the committed bundles that {@code where} means, by their index. */
  List<Pool> committed(BundleId where) {
    Group group = groups.get(where.group());
    if (group == null) {
      return List.of();
    }
    List<Pool> pools = new ArrayList<>();
    for (var entry : group.slots.entrySet()) {
      if (entry.getValue().committed && (where.isAny() || where.index() == entry.getKey())) {
        pools.add(entry.getValue().pool);
      }
    }
    return pools;
  }

  List<Slot> slots() {
    List<Slot> all = new ArrayList<>();
    for (Group group : groups.values()) {
      all.addAll(group.slots.values());
    }
    return all;
  }

  List<BundleStatus> statuses() {
    List<BundleStatus> all = new ArrayList<>();
    groups.forEach((id, group) ->
        group.slots.forEach((index, slot) -> {
          Resources total = slot.pool.total;
          BundleId bundle = new BundleId(id, index);
          Resources available = slot.pool.available();
          all.add(new BundleStatus(bundle, slot.attempt, slot.committed, total, available));
        }));
    return all;
  }
}
