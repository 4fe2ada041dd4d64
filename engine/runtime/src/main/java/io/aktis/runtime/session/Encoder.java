package io.aktis.runtime.session;

import io.aktis.Arg;
import io.aktis.ObjectRef;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.function.Invocable;
import io.aktis.spi.Work;
import io.aktis.wire.value.Encoded;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the code and the arguments of one call into what the engine keeps, in the caller's thread:
 * what cannot change is kept as it is, references become arguments, the rest is encoded, and what
 * is large goes to the store. Confined to the caller.
 */
final class Encoder {
  private static final OwnedObject[] NONE = {};

  private final Kernel kernel;
  private final Values values;
  private final @Nullable Run caller;
  private final Object function;
  private final @Nullable Object[] args;
  private List<OwnedObject> objects = List.of();
  private List<OwnedObject> borrowed = List.of();
  private List<OwnedObject> stored = List.of();
  private List<Handle<?>> handles = List.of();

  Encoder(Kernel kernel, @Nullable Run caller, Work work) throws InterruptedException {
    this.kernel = kernel;
    this.values = kernel.values();
    this.caller = caller;
    this.function = function(work.function());
    this.args = arguments(work.args());
    if (!borrowed.isEmpty()) {
      kernel.post(new OwnerEvent.Retained(borrowed));
    }
  }

  /** Keeps each argument; the array is made anew only if one of them is kept in another form. */
  @SuppressWarnings("ReferenceEquality") // whether it is the same object is the question
  private @Nullable Object[] arguments(@Nullable Object[] given) throws InterruptedException {
    @Nullable Object[] kept = given;
    for (int i = 0; i < given.length; i++) {
      Object value = given[i] instanceof Arg.Value<?>(var wrapped) ? wrapped : given[i];
      Object form = argument(value, given.length);
      if (form != given[i]) {
        kept = kept == given ? given.clone() : kept;
        kept[i] = form;
      }
    }
    return kept;
  }

  /** Returns all of it. */
  Prepared prepared() {
    return new Prepared(function, args, objects(), borrowed, handles);
  }

  Object function() {
    return function;
  }

  @Nullable Object[] args() {
    return args;
  }

  /** Returns the objects that are arguments, in their order. */
  OwnedObject[] objects() {
    return objects.isEmpty() ? NONE : objects.toArray(NONE);
  }

  /** Returns the objects that references inside of arguments name. */
  List<OwnedObject> borrowed() {
    return borrowed;
  }

  /** Returns the handles on actors inside of arguments; closed when the call is done. */
  List<Handle<?>> handles() {
    return handles;
  }

  /** Tells whether references or handles are inside of arguments. */
  boolean borrows() {
    return !borrowed.isEmpty() || !handles.isEmpty();
  }

  /** Lets go of the values that were stored for this call alone; after it was submitted. */
  void releaseStored() {
    if (!stored.isEmpty()) {
      kernel.post(new OwnerEvent.Released(stored));
    }
  }

  /** Lets go of everything; the call is not made. */
  void abandon() {
    releaseStored();
    handles.forEach(Handle::close);
    if (!borrowed.isEmpty()) {
      kernel.post(new OwnerEvent.Released(borrowed));
    }
  }

  private Object function(Invocable code) {
    if (values.isKeptAsItIs(code)) {
      return code;
    }
    return snapshot(values.encode(code));
  }

  private Encoded snapshot(Encoded encoded) {
    if (encoded.exported().isEmpty()) {
      return values.kept(encoded);
    }
    for (Object token : encoded.exported()) {
      if (token instanceof Handle<?> handle) {
        handles = handles.isEmpty() ? new ArrayList<>(2) : handles;
        handles.add(handle);
      }
    }
    List<OwnedObject> inside = Values.containedIn(encoded.exported());
    if (!inside.isEmpty()) {
      if (borrowed.isEmpty()) {
        borrowed = new ArrayList<>(inside);
      } else {
        borrowed.addAll(inside);
      }
    }
    return values.kept(encoded);
  }

  private @Nullable Object argument(@Nullable Object value, int count) throws InterruptedException {
    if (value instanceof ObjectRef<?> ref) {
      add(kernel.session().waits().cell(ref).object(), count);
      return Call.REFERENCE;
    }
    if (value == null || values.isKeptAsItIs(value)) {
      return value;
    }
    Encoded encoded = values.encode(value);
    if (encoded.sizeBytes() <= Values.INLINE_LIMIT_BYTES) {
      return snapshot(encoded);
    }
    ObjectId id = kernel.nextId().result(0);
    OwnedObject object = Cell.of(id).object();
    Outcome outcome = values.store(encoded, id, caller);
    kernel.post(new OwnerEvent.Put(object, outcome));
    if (stored.isEmpty()) {
      stored = new ArrayList<>(2);
    }
    stored.add(object);
    add(object, count);
    return Call.REFERENCE;
  }

  private void add(OwnedObject object, int count) {
    if (objects.isEmpty()) {
      objects = new ArrayList<>(count);
    }
    objects.add(object);
  }
}
