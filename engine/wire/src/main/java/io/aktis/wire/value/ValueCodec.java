package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.fory.exception.ForyException;
import org.apache.fory.logging.LogLevel;
import org.apache.fory.logging.LoggerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Turns values of users into bytes and back, and tells which need not be.
 *
 * <p>Values that cannot change are shared ({@link #isImmutable}); everybody else gets a copy of
 * their own, by {@link #copy} within the process, by {@link #encode} and {@link #decode} between
 * processes. Both give the same: what is decoded is equal to what was encoded, with the same
 * classes, shared objects and cycles, save that
 *
 * <ul>
 *   <li>{@code transient} fields stay behind: they are as a constructor without arguments leaves
 *       them, or empty if the class has none;
 *   <li>buffers and segments become read-only, and so do tables and vectors of Arrow ({@code
 *       VectorSchemaRoot}), whose memory nobody may write, though Arrow lets one try;
 *   <li>views such as {@code map.keySet()} become collections of their own;
 *   <li>an object that is met again inside of itself is null there if it is made by its
 *       constructor, that is a record or an unmodifiable collection: the JDK's serialization does
 *       the same.
 * </ul>
 *
 * <p>What has no meaning elsewhere is refused in the caller's thread, with the way to it: threads,
 * locks, open files and the like, see {@link ValueNotSerializableException}. Graphs are walked by
 * recursion: a chain of more than about a thousand objects that each refer to the next does not fit
 * on a stack of 1 MiB, and is refused; lists and maps may be of any size.
 *
 * <p>A codec belongs to one job and its class loader, and lets both go when it is closed. Nothing
 * of another job must be decoded: bytes name classes, and decoding runs their code.
 *
 * <p>Thread-safe; calls do not wait for each other. Classes of users may call the codec while they
 * are encoded or decoded.
 */
public final class ValueCodec implements AutoCloseable {
  static {
    // Fory prints to standard output by default.
    LoggerFactory.setLogLevel(LogLevel.ERROR_LEVEL);
  }

  private final ClassLoader loader;
  private final UnitPool units;
  private final HandleHooks hooks;
  private final Set<Class<?>> handleTypes;
  private final Predicate<MemorySegment> sealedMemory;
  private final ThrowableCodec throwables;

  /**
   * The class of the last value that is always immutable: a program asks again and again for the
   * same, and the look into the table of rules costs as much as a small task. Written without a
   * lock, for any class that a thread finds here is right.
   */
  private @Nullable Class<?> lastImmutable;

  private ValueCodec(ClassLoader loader, HandleHooks hooks, Predicate<MemorySegment> sealedMemory) {
    Map<String, Class<?>> types = new TreeMap<>(hooks.types());
    this.loader = loader;
    this.hooks = hooks;
    this.handleTypes = Set.copyOf(types.values());
    this.sealedMemory = sealedMemory;
    this.units = new UnitPool(() -> newUnit(loader, hooks, types));
    this.throwables = new ThrowableCodec(units);
  }

  private static ForyUnit newUnit(
      ClassLoader loader, HandleHooks hooks, Map<String, Class<?>> handleTypes) {
    try {
      return new ForyUnit(loader, hooks, handleTypes);
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "this JVM keeps java.lang.invoke closed: start it with"
              + " --add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
          e);
    }
  }

  /** Makes a codec for the classes of {@code loader}, without handles. */
  public static ValueCodec of(ClassLoader loader) {
    return new ValueCodec(loader, HandleHooks.NONE, memory -> false);
  }

  /**
   * Makes a codec.
   *
   * @param loader finds the classes that bytes name
   * @param hooks told about handles inside values
   * @param sealedMemory whether a read-only segment is a part of a sealed object, so that it never
   *     changes and may be shared
   */
  public static ValueCodec of(
      ClassLoader loader, HandleHooks hooks, Predicate<MemorySegment> sealedMemory) {
    return new ValueCodec(loader, hooks, sealedMemory);
  }

  /**
   * Returns whether a value may be handed to everybody without a copy, because neither it nor what
   * it holds can change. False where that is not known, for handles, which must be counted, and for
   * values too large to look through quickly.
   *
   * <p>True for null, strings, numbers and the like, enums, values of {@code java.time}, and, if
   * what they hold is immutable, records, unmodifiable collections of the JDK, {@code Optional} and
   * serializable lambdas.
   */
  public boolean isImmutable(@Nullable Object value) {
    if (value == null) {
      return true;
    }
    Class<?> type = value.getClass();
    if (type == String.class
        || type == Integer.class
        || type == Long.class
        || type == Boolean.class
        || type == lastImmutable) {
      return true;
    }
    SharingRule rule = SharingRules.of(type);
    if (rule.always) {
      lastImmutable = type;
      return true;
    }
    return !rule.never && new SharingCheck(sealedMemory).allows(value);
  }

  /**
   * Encodes a value. Large arrays and buffers are borrowed until the result is written, see {@link
   * Encoded}; handles are exported.
   *
   * @throws ValueNotSerializableException if it holds something that cannot be encoded
   */
  public Encoded encode(@Nullable Object value) {
    try {
      Encoded simple = SimpleValues.encode(value);
      if (simple != null) {
        return simple;
      }
      if (value != null && Tables.isArrow(value.getClass())) {
        return Tables.encode(value);
      }
    } catch (Refusal refusal) {
      throw explain(Objects.requireNonNull(value), refusal);
    }
    return encodeObject(Objects.requireNonNull(value));
  }

  private Encoded encodeObject(Object value) {
    if (handleTypes.contains(value.getClass())) {
      Encoded.Builder parts = new Encoded.Builder(ValueTag.HANDLE);
      parts.handleIds = List.of(hooks.id(value));
      parts.exported = List.of(hooks.export(value));
      return parts.build();
    }
    ForyUnit unit = units.take();
    Encoded encoded;
    try {
      encoded = unit.encode(value);
    } catch (ForyException e) {
      throw explain(value, e);
    }
    units.give(unit);
    return encoded;
  }

  /**
   * Decodes a value. Of a sealed one, buffers, segments and tables of Arrow are views on its
   * memory; arrays are always copies.
   *
   * @throws ValueDecodeException if the bytes are damaged, or of a class that is missing here
   */
  public @Nullable Object decode(Encoded encoded) {
    return switch (encoded.tag()) {
      case JAVA -> decodeObject(encoded);
      case THROWABLE -> throwables.decode(encoded);
      case HANDLE -> Incoming.of(hooks, encoded, null).handle(0);
      case ARROW, ARROW_VECTOR -> Tables.decode(encoded, loader);
      default -> decodeSimple(encoded);
    };
  }

  private static @Nullable Object decodeSimple(Encoded encoded) {
    try {
      return SimpleValues.decode(encoded);
    } catch (IndexOutOfBoundsException e) {
      throw new ValueDecodeException("the bytes of a " + encoded.tag() + " are cut off", e);
    }
  }

  private Object decodeObject(Encoded encoded) {
    ForyUnit unit = units.take();
    Object value;
    try {
      value = unit.decode(encoded);
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      throw new ValueDecodeException("cannot decode a value: " + rootMessage(e), e);
    }
    units.give(unit);
    return value;
  }

  /**
   * Decodes an array, a buffer, a segment or a table of Arrow to its memory, read-only: a view if
   * it is sealed, else a copy.
   *
   * @throws IllegalArgumentException if it is another kind of value
   */
  public MemorySegment decodeView(Encoded encoded) {
    return SimpleValues.view(encoded);
  }

  /**
   * Returns the value itself if it is immutable, else a copy that shares nothing mutable with it;
   * the same as encoding and decoding gives, but faster.
   *
   * @throws ValueNotSerializableException if it holds something that cannot be encoded
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // only null is copied to null
  public <T extends @Nullable Object> T copy(T value) {
    if (value == null || isImmutable(value)) {
      return value;
    }
    Object shallow = copyShallow(value);
    return (T) (shallow != null ? shallow : copyObject(value));
  }

  /** Copies arrays, and common collections of immutable values; returns null for others. */
  private @Nullable Object copyShallow(Object value) {
    Class<?> type = value.getClass();
    ArrayKind kind = ArrayKind.of(type);
    if (kind != null) {
      return kind.copy(value);
    }
    if (type == ArrayList.class) {
      ArrayList<?> list = (ArrayList<?>) value;
      return SharingRule.LIST.allows(list, check()) ? new ArrayList<>(list) : null;
    }
    if (type == HashMap.class) {
      HashMap<?, ?> map = (HashMap<?, ?>) value;
      return SharingRule.MAP.allows(map, check()) ? new HashMap<>(map) : null;
    }
    if (type == HashSet.class) {
      HashSet<?> set = (HashSet<?>) value;
      return SharingRule.COLLECTION.allows(set, check()) ? new HashSet<>(set) : null;
    }
    return null;
  }

  private SharingCheck check() {
    return new SharingCheck(sealedMemory);
  }

  private @Nullable Object copyObject(Object value) {
    if (handleTypes.contains(value.getClass())) {
      Object token = hooks.export(value);
      try {
        return hooks.restore(token);
      } finally {
        hooks.release(token);
      }
    }
    Encoded simple = encodeIfSimple(value);
    if (simple != null) {
      return decodeSimple(simple);
    }
    if (Tables.isArrow(value.getClass())) {
      return copyTable(value);
    }
    ForyUnit unit = units.take();
    Object copy;
    try {
      copy = unit.copy(value);
    } catch (ForyException | StackOverflowError e) {
      throw explain(value, e);
    }
    units.give(unit);
    return copy;
  }

  private Object copyTable(Object table) {
    try {
      return Tables.copy(table);
    } catch (Refusal refusal) {
      throw explain(table, refusal);
    }
  }

  private @Nullable Encoded encodeIfSimple(Object value) {
    try {
      return SimpleValues.encode(value);
    } catch (Refusal refusal) {
      throw explain(value, refusal);
    }
  }

  /**
   * Encodes a failure: a description that can be read anywhere, and the throwable itself as far as
   * it can be encoded. Never fails.
   */
  public Encoded encodeThrowable(Throwable throwable) {
    return throwables.encode(throwable);
  }

  /**
   * Decodes a failure: the throwable itself, with a {@link RemoteThrowable} in the place of each
   * part that could not be encoded, or a {@link RemoteThrowable} for the whole if its class is
   * missing here.
   *
   * @throws ValueDecodeException if the description is damaged
   */
  public Throwable decodeThrowable(Encoded encoded) {
    return throwables.decode(encoded);
  }

  /** Tells which part of a value is the heaviest, by estimate. Slow: walks through the value. */
  public SizeReport explainSize(@Nullable Object value) {
    return value == null
        ? new SizeReport(0, "null", "null", 0)
        : SizeExplainer.explain(value, handleTypes::contains);
  }

  /** Loads what the first encoding needs, some 300 ms on a cold JVM; may run in the background. */
  public void warmUp() {
    ForyUnit unit = units.take();
    unit.copy(new ArrayList<>(List.of("warm", 1, new HandleId((byte) 0, 0, 0))));
    units.give(unit);
  }

  /** Lets the loader and its classes go. Calls in progress end; later ones fail. Idempotent. */
  @Override
  public void close() {
    units.close();
    ForyCaches.clear();
  }

  private ValueNotSerializableException explain(Object value, Throwable failure) {
    if (RefusalStory.rootCause(failure) instanceof OutOfMemoryError shortage) {
      throw shortage;
    }
    return new RefusalStory(units::take, handleTypes::contains).of(value, failure);
  }

  private static String rootMessage(Throwable failure) {
    return RefusalStory.rootCause(failure).toString();
  }
}
