package io.aktis.runtime.session;

import io.aktis.core.owner.OwnedObject;
import io.aktis.wire.value.Encoded;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The code and the arguments of one call in the forms in which they are kept.
 *
 * @param function the code
 * @param args the arguments, and {@link Call#REFERENCE} where an object belongs
 * @param objects the objects that are arguments, in their order
 * @param borrowed objects that references inside name
 * @param handles handles on actors inside
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
record Prepared(
    Object function,
    @Nullable Object[] args,
    OwnedObject[] objects,
    List<OwnedObject> borrowed,
    List<Handle<?>> handles) {
  /** Returns what was encoded elsewhere, with what its references stand for here. */
  static Prepared of(Encoded function, Object[] args, List<OwnedObject> objects) {
    List<OwnedObject> borrowed = new ArrayList<>(Values.containedIn(function.exported()));
    List<Handle<?>> handles = new ArrayList<>();
    addHandles(handles, function);
    for (Object kept : args) {
      if (kept instanceof Encoded encoded) {
        borrowed.addAll(Values.containedIn(encoded.exported()));
        addHandles(handles, encoded);
      }
    }
    return new Prepared(function, args, objects.toArray(OwnedObject[]::new), borrowed, handles);
  }

  private static void addHandles(List<Handle<?>> handles, Encoded encoded) {
    for (Object token : encoded.exported()) {
      if (token instanceof Handle<?> handle) {
        handles.add(handle);
      }
    }
  }
}
