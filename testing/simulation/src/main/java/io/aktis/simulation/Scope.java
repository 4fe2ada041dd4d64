package io.aktis.simulation;

import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The references that one run of some code has, as its owner keeps them. */
final class Scope {
  private final @Nullable Task task;
  private final long caller;
  private final List<@Nullable OwnedObject> refs = new ArrayList<>();
  private final List<OwnedObject> borrowed = new ArrayList<>();

  /**
   * Makes a scope.
   *
   * @param task what runs, null for the driver
   * @param caller as whom it calls actors
   */
  Scope(@Nullable Task task, long caller) {
    this.task = task;
    this.caller = caller;
  }

  @Nullable Task task() {
    return task;
  }

  long caller() {
    return caller;
  }

  void add(OwnedObject object) {
    refs.add(object);
  }

  /** Takes references that were inside of a value. */
  void borrow(List<OwnedObject> objects) {
    borrowed.addAll(objects);
  }

  /** Returns what a reference names; null when it was closed. */
  @Nullable OwnedObject ref(int index) {
    return index < refs.size() ? refs.get(index) : null;
  }

  List<OwnedObject> refs(List<Integer> indexes) {
    List<OwnedObject> objects = new ArrayList<>();
    for (int index : indexes) {
      OwnedObject object = ref(index);
      if (object != null) {
        objects.add(object);
      }
    }
    return objects;
  }

  /** Closes one reference; returns what it named. */
  @Nullable OwnedObject close(int index) {
    OwnedObject object = ref(index);
    if (object != null) {
      refs.set(index, null);
    }
    return object;
  }

  /** Closes all; returns what they named. */
  List<OwnedObject> closeAll() {
    List<OwnedObject> open = new ArrayList<>(borrowed);
    for (OwnedObject object : refs) {
      if (object != null) {
        open.add(object);
      }
    }
    refs.clear();
    borrowed.clear();
    return open;
  }
}
