package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds references that are given twice. A table with open addressing, since it is asked again for
 * every step of a loop that waits for one of many.
 */
final class Duplicates {
  private Duplicates() {}

  @SuppressWarnings("ReferenceEquality") // there is one object of an id
  static void check(List<Cell> cells) {
    int mask = Integer.highestOneBit(Math.max(4, cells.size() * 2)) * 2 - 1;
    @Nullable Object[] table = new Object[mask + 1];
    for (int i = 0; i < cells.size(); i++) {
      Object object = cells.get(i).object();
      ObjectId id = cells.get(i).object().id();
      int slot = id.hashCode() & mask;
      while (table[slot] != null) {
        if (table[slot] == object) {
          throw new IllegalArgumentException(
              "each reference may be given once, " + id + " is given twice");
        }
        slot = slot + 1 & mask;
      }
      table[slot] = object;
    }
  }
}
