package io.aktis.wire.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The handles met while one value is encoded, each id once, in the order they are met. Open
 * addressing, because a list of references may hold a hundred thousand.
 *
 * <p>Confined to the thread that encodes.
 */
final class HandleTable {
  private static final int MIN_SLOTS = 16;

  private final ArrayList<HandleId> ids = new ArrayList<>();
  private final ArrayList<Object> handles = new ArrayList<>();

  /** Position in {@link #ids} plus one, by hash; zero is free. */
  private int[] slots = new int[MIN_SLOTS];

  /** Returns the position of the handle in the table, where it is entered if it is new. */
  int indexOf(HandleId id, Object handle) {
    int mask = slots.length - 1;
    int slot = id.hashCode() & mask;
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (ids.get(index).equals(id)) {
        return index;
      }
      slot = slot + 1 & mask;
    }
    ids.add(id);
    handles.add(handle);
    slots[slot] = ids.size();
    if (ids.size() * 2 > slots.length) {
      grow();
    }
    return ids.size() - 1;
  }

  private void grow() {
    int[] larger = new int[slots.length * 2];
    int mask = larger.length - 1;
    for (int i = 0; i < ids.size(); i++) {
      int slot = ids.get(i).hashCode() & mask;
      while (larger[slot] != 0) {
        slot = slot + 1 & mask;
      }
      larger[slot] = i + 1;
    }
    slots = larger;
  }

  boolean isEmpty() {
    return ids.isEmpty();
  }

  List<HandleId> ids() {
    return List.copyOf(ids);
  }

  List<Object> handles() {
    return handles;
  }

  void clear() {
    if (ids.isEmpty()) {
      return;
    }
    ids.clear();
    handles.clear();
    if (slots.length > 1024) {
      slots = new int[MIN_SLOTS];
      ids.trimToSize();
      handles.trimToSize();
    } else {
      Arrays.fill(slots, 0);
    }
  }
}
