package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects whose ids have left to workers, so that they are found when a worker speaks of them.
 * It does not keep them alive: tasks, values and what workers hold do. Confined to the owner's
 * loop.
 */
final class Exports {
  private static final class Entry extends WeakReference<OwnedObject> {
    private final ObjectId id;

    Entry(OwnedObject object, ReferenceQueue<OwnedObject> gone) {
      super(object, gone);
      this.id = object.id();
    }
  }

  private final Map<ObjectId, Entry> entries = new HashMap<>();
  private final ReferenceQueue<OwnedObject> gone = new ReferenceQueue<>();

  void add(OwnedObject object) {
    forgetGone();
    Entry known = entries.get(object.id());
    if (known == null || known.get() == null) {
      entries.put(object.id(), new Entry(object, gone));
    }
  }

  void addAll(List<OwnedObject> objects) {
    objects.forEach(this::add);
  }

  /** Adds what references inside of a value name that is about to leave. */
  void addContained(Outcome outcome) {
    switch (outcome) {
      case Outcome.Inline inline -> addAll(inline.contained());
      case Outcome.Stored stored -> addAll(stored.contained());
      case Outcome.Failure _ -> {}
    }
  }

  @Nullable OwnedObject find(ObjectId id) {
    Entry entry = entries.get(id);
    return entry == null ? null : entry.get();
  }

  private void forgetGone() {
    for (Reference<?> next = gone.poll(); next != null; next = gone.poll()) {
      Entry entry = (Entry) next;
      entries.remove(entry.id, entry);
    }
  }
}
