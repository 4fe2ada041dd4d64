package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.Resources;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    final long sinceMs;
    int tellings;

    Entry(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  void refused(LeaseRequest request, long nowMs) {
    Shape shape = new Shape(request.id().owner(), request.demand(), request.bundle());
    entries.computeIfAbsent(shape, ignored -> new Entry(nowMs)).tellings = 0;
  }

  void granted(LeaseRequest request) {
    if (!entries.isEmpty()) {
      entries.remove(new Shape(request.id().owner(), request.demand(), request.bundle()));
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
    List<Shape> told = new ArrayList<>();
    for (Shape shape : entries.keySet()) {
      if (remaining.isZero()) {
        break;
      }
      if (shape.waitsFor(pool)
          && shape.demand.toPlace().fitsIn(remaining)
          && pool.refusal(shape.demand) == null) {
        remaining = remaining.minus(shape.demand.toHold());
        told.add(shape);
      }
    }
    List<Hungry> result = new ArrayList<>(told.size());
    for (Shape shape : told) {
      result.add(moveToEnd(shape));
    }
    return result;
  }

  private Hungry moveToEnd(Shape shape) {
    Entry entry = entries.remove(shape);
    if (++entry.tellings < MAX_TELLINGS) {
      entries.put(shape, entry);
    }
    return new Hungry(shape.owner, shape.demand, shape.bundle, entry.sinceMs);
  }

  /** Removes and returns those who wait for {@code pool}, which is given up. */
  List<Hungry> giveUp(Pool pool) {
    List<Hungry> result = new ArrayList<>();
    Iterator<Map.Entry<Shape, Entry>> each = entries.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<Shape, Entry> next = each.next();
      if (next.getKey().waitsFor(pool)) {
        Shape shape = next.getKey();
        result.add(new Hungry(shape.owner, shape.demand, shape.bundle, next.getValue().sinceMs));
        each.remove();
      }
    }
    return result;
  }

  List<Hungry> list() {
    List<Hungry> result = new ArrayList<>(entries.size());
    entries.forEach(
        (shape, entry) ->
            result.add(new Hungry(shape.owner, shape.demand, shape.bundle, entry.sinceMs)));
    return result;
  }
}
