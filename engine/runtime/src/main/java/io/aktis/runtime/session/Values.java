package io.aktis.runtime.session;

import io.aktis.NotSerializableException;
import io.aktis.ObjectStoreFullException;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StoreMovedException;
import io.aktis.runtime.port.StorePort;
import io.aktis.wire.value.Encoded;
import io.aktis.wire.value.ValueCodec;
import io.aktis.wire.value.ValueNotSerializableException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns values into what the engine keeps, and back, so that everybody gets a copy of their own.
 *
 * <p>A value is kept in one of three forms: as it is, when it cannot change; encoded on the heap,
 * up to the inline limit; or sealed in the store of a node. Thread-safe.
 */
final class Values {
  /** The largest encoded value that is kept on the heap: 100 KiB. */
  static final long INLINE_LIMIT_BYTES = 100 * 1024;

  private final Kernel kernel;
  private final ValueCodec codec;

  Values(Kernel kernel, ValueCodec codec) {
    this.kernel = kernel;
    this.codec = codec;
  }

  ValueCodec codec() {
    return codec;
  }

  /**
   * Keeps a value.
   *
   * @param maker the attempt that makes it, {@code null} for the program itself; says where it goes
   *     if it is large
   * @throws NotSerializableException when it cannot be kept
   * @throws ObjectStoreFullException when the store has no room in time
   */
  Outcome keep(@Nullable Object value, ObjectId id, @Nullable Run maker)
      throws InterruptedException {
    if (value == null) {
      return new Outcome.Inline(SharedValue.NULL, List.of());
    }
    if (isKeptAsItIs(value)) {
      return new Outcome.Inline(value, List.of());
    }
    Encoded encoded = encode(value);
    if (encoded.sizeBytes() <= INLINE_LIMIT_BYTES) {
      return new Outcome.Inline(kept(encoded), containedIn(encoded.exported()));
    }
    return store(encoded, id, maker);
  }

  /**
   * Seals an encoded value in the store of a node.
   *
   * @param maker the attempt that makes it, {@code null} for the program itself
   * @throws ObjectStoreFullException when the store has no room in time
   */
  Outcome store(Encoded encoded, ObjectId id, @Nullable Run maker) throws InterruptedException {
    while (true) {
      try {
        return store(encoded, id, kernel.place(maker));
      } catch (StoreMovedException e) {
        Log.LOG.debug("{} is stored elsewhere.", id, e);
      }
    }
  }

  private Outcome store(Encoded encoded, ObjectId id, Place place) throws InterruptedException {
    long sizeBytes = encoded.sizeBytes();
    try (StorePort.Writing writing = create(id, sizeBytes, place.store())) {
      encoded.writeTo(writing.segment());
      writing.seal();
    }
    return new Outcome.Stored(
        new StoredValue(place.at(), id, encoded.handleIds(), encoded.exported()),
        place.at().node(),
        sizeBytes,
        containedIn(encoded.exported()));
  }

  /** Takes room in a store; a task that has to wait for it lends its CPU to who makes room. */
  private StorePort.Writing create(ObjectId id, long sizeBytes, StorePort store) {
    StorePort.Writing made = store.tryCreate(id, sizeBytes);
    if (made != null) {
      return made;
    }
    Waits waits = kernel.session().waits();
    return waits.whileLending(waits.currentRun(), List::of, () -> store.create(id, sizeBytes));
  }

  /** Encodes a value, or says in the caller's words why it cannot be sent. */
  Encoded encode(Object value) {
    try {
      return codec.encode(value);
    } catch (ValueNotSerializableException e) {
      throw new NotSerializableException(String.valueOf(e.getMessage()), e.fieldPath(), e);
    }
  }

  static List<OwnedObject> containedIn(List<Object> tokens) {
    if (tokens.isEmpty()) {
      return List.of();
    }
    List<OwnedObject> objects = new ArrayList<>(tokens.size());
    for (Object token : tokens) {
      if (token instanceof Cell cell) {
        objects.add(cell.object());
      }
    }
    return objects;
  }

  /** Gives a value back, as a copy if it can change. The outcome must not be a failure. */
  @Nullable Object read(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Inline inline -> readKept(inline.value());
      case Outcome.Stored stored -> readStored((StoredValue) stored.value());
      case Outcome.Failure failure -> throw new IllegalArgumentException(failure.message());
    };
  }

  /** Returns an encoded value in the form in which it is kept on the heap. */
  Encoded kept(Encoded encoded) {
    return kernel.sharesValues() ? encoded.detached() : encoded.inArray();
  }

  /** Tells whether a value stands for itself: it cannot change, and stays in this process. */
  boolean isKeptAsItIs(Object value) {
    return kernel.sharesValues() && codec.isImmutable(value);
  }

  /** Gives a kept argument or value back: what is kept as it is stands for itself. */
  @Nullable Object readKept(Object kept) {
    if (kept instanceof Encoded encoded) {
      return codec.decode(encoded);
    }
    if (kept instanceof StoredValue stored) {
      return readStored(stored);
    }
    return kept instanceof SharedValue shared ? shared.value() : kept;
  }

  /** Gives read-only access to the bytes of a stored buffer or array, without a copy. */
  MemorySegment view(Outcome outcome) {
    try {
      return switch (outcome) {
        case Outcome.Inline inline when inline.value() instanceof Encoded encoded ->
            codec.decodeView(encoded);
        case Outcome.Stored stored -> codec.decodeView(open((StoredValue) stored.value()));
        default -> throw new IllegalArgumentException("a value that is kept as it is");
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "only buffers, memory segments, arrays of primitives and tables of Arrow have a view;"
              + " this value is another kind, use get()",
          e);
    }
  }

  /** Decodes from the store: values that are views keep their bytes pinned, others do not. */
  private @Nullable Object readStored(StoredValue stored) {
    StorePort store = kernel.storeFor(stored.at());
    try (StorePort.Reading reading = store.pin(stored.id(), stored.at())) {
      if (reading == null) {
        throw new StoreRaceException(stored.at());
      }
      Encoded encoded = Encoded.reopen(reading.segment(), stored.tokens());
      return codec.decode(
          encoded.hasViews() ? Encoded.reopen(reading.keep(), stored.tokens()) : encoded);
    }
  }

  private Encoded open(StoredValue stored) {
    MemorySegment segment = kernel.storeFor(stored.at()).view(stored.id(), stored.at());
    if (segment == null) {
      throw new StoreRaceException(stored.at());
    }
    return Encoded.reopen(segment, stored.tokens());
  }

  /** The copy went between the look at the outcome and the look at the store: look again. */
  static final class StoreRaceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean remote;

    StoreRaceException() {
      super("the copy is gone", null, false, false);
      this.remote = false;
    }

    StoreRaceException(Location at) {
      super("the copy is gone", null, false, false);
      this.remote = !at.address().isEmpty();
    }

    /** Whether the copy is in another process, of whose end the news may still be on the way. */
    boolean isRemote() {
      return remote;
    }
  }
}
