package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who was refused for lack of free resources: one entry for each owner and shape, in the order of
 * asking.
 *
 * <p>When something is freed, as many are told as it could serve, not all: a hundred owners that
 * wait for one CPU must not all ask for it. Who was told goes to the end of the queue and stays
 * there until it is granted a lease of the shape, or did not ask again though it was told several
 * times.
 */
final class HungryQueue {
  private static final int MAX_TELLINGS = 3;

  private final LinkedHashMap<Shape, Entry> entries = new LinkedHashMap<>();

  private record Shape(long owner, Demand demand, @Nullable BundleId bundle) {
    boolean waitsFor(Pool pool) {
      BundleId here = pool.bundle;
      if (here == null || bundle == null) {
        return here == null && bundle == null;
      }
      return bundle.isAny() ? bundle.group().equals(here.group()) : bundle.equals(here);
    }
  }

  private static final class Entry {
    final Shape shape;
    final long sinceMs;
    int tellings;

    Entry(Shape shape, long sinceMs) {
      this.shape = shape;
      this.sinceMs = sinceMs;
    }

    Hungry toHungry() {
      return new Hungry(shape.owner, shape.demand, shape.bundle, sinceMs);
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  void refused(LeaseRequest request, long nowMs) {
    Shape key = new Shape(request.id().owner(), request.demand(), request.bundle());
    entries.computeIfAbsent(key, shape -> new Entry(shape, nowMs)).tellings = 0;
  }

  void granted(LeaseRequest request) {
    if (!entries.isEmpty()) {
      entries.remove(new Shape(request.id().owner(), request.demand(), request.bundle()));
    }
  }

  void satisfied(long owner, Demand demand, @Nullable BundleId bundle) {
    if (!entries.isEmpty()) {
      entries.remove(new Shape(owner, demand, bundle));
    }
  }

  void forget(long owner) {
    entries.keySet().removeIf(shape -> shape.owner == owner);
  }

  boolean waitsFor(Pool pool) {
    for (Shape shape : entries.keySet()) {
      if (shape.waitsFor(pool)) {
        return true;
      }
    }
    return false;
  }

  /** Returns those who can be served from {@code pool} now, as many as it can serve. */
  List<Hungry> tell(Pool pool) {
    if (entries.isEmpty()) {
      return List.of();
    }
    Resources remaining = pool.available();
    List<Entry> told = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (remaining.isZero()) {
        break;
      }
      Shape shape = entry.shape;
      if (shape.waitsFor(pool)
          && shape.demand.toPlace().fitsIn(remaining)
          && pool.refusal(shape.demand) == null) {
        remaining = remaining.minus(shape.demand.toHold());
        told.add(entry);
      }
    }
    told.forEach(this::moveToEnd);
    return told.stream().map(Entry::toHungry).toList();
  }

  private void moveToEnd(Entry entry) {
    entries.remove(entry.shape);
    entry.tellings++;
    if (entry.tellings < MAX_TELLINGS) {
      entries.put(entry.shape, entry);
    }
  }

  /** Removes and returns those who wait for {@code pool}, which is given up. */
  List<Hungry> giveUp(Pool pool) {
    List<Hungry> result = new ArrayList<>();
    for (Entry entry : List.copyOf(entries.values())) {
      if (entry.shape.waitsFor(pool)) {
        result.add(entry.toHungry());
        entries.remove(entry.shape);
      }
    }
    return result;
  }

  List<Hungry> list() {
    return entries.values().stream().map(Entry::toHungry).toList();
  }
}
