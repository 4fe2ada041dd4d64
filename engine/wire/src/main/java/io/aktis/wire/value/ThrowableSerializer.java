package io.aktis.wire.value;

import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.reflect.FieldAccessor;
import org.apache.fory.reflect.ObjectInstantiator;
import org.apache.fory.reflect.ObjectInstantiators;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.ObjectSerializer;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The form of throwables: field by field, without calling a constructor or a getter of the user's,
 * so that what comes out is what went in. Fory's own calls the constructor that takes a message,
 * and loses the stack traces of classes that have none.
 *
 * <p>Inside a failure that is described anyway, the stack trace is taken from the description, and
 * a throwable that cannot be encoded is replaced by its own.
 */
@SuppressWarnings("unchecked")
final class ThrowableSerializer extends Serializer<Throwable> {
  private static final FieldAccessor MESSAGE = accessor("detailMessage");
  private static final FieldAccessor CAUSE = accessor("cause");
  private static final FieldAccessor STACK_TRACE = accessor("stackTrace");
  private static final FieldAccessor SUPPRESSED = accessor("suppressedExceptions");
  private static final Object NONE_SUPPRESSED = SUPPRESSED.getObject(new Throwable());

  /** Codes of what follows. */
  private static final byte ITSELF = 0;

  private static final byte DESCRIPTION = 1;

  private final ForyUnit unit;
  private final ObjectInstantiator<Throwable> instantiator;
  private final List<ObjectSerializer<Throwable>> layers;

  ThrowableSerializer(TypeResolver resolver, Class<?> type, ForyUnit unit) {
    super(resolver.getConfig(), (Class<Throwable>) type);
    this.unit = unit;
    this.instantiator =
        new ObjectInstantiators.ParentNoArgCtrInstantiator<>((Class<Throwable>) type);
    ArrayDeque<ObjectSerializer<Throwable>> fromTop = new ArrayDeque<>();
    for (Class<?> layer = type; layer != Throwable.class; layer = layer.getSuperclass()) {
      fromTop.addFirst(new ObjectSerializer<>(resolver, (Class<Throwable>) layer, false, null));
    }
    this.layers = List.copyOf(fromTop);
  }

  private static FieldAccessor accessor(String name) {
    try {
      Field field = Throwable.class.getDeclaredField(name);
      return FieldAccessor.createAccessor(field);
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a throwable without a cause has itself as its cause
  public void write(WriteContext context, Throwable value) {
    MemoryBuffer out = context.getBuffer();
    RemoteThrowable substitute = unit.outgoing().substitute(value);
    if (substitute != null) {
      out.writeByte(DESCRIPTION);
      context.writeRef(substitute);
      return;
    }
    out.writeByte(ITSELF);
    writeStackTrace(context, value);
    context.writeRef(MESSAGE.getObject(value));
    Object cause = CAUSE.getObject(value);
    out.writeBoolean(cause == value);
    if (cause != value) {
      context.writeRef(cause);
    }
    writeSuppressed(context, value);
    for (ObjectSerializer<Throwable> layer : layers) {
      layer.write(context, value);
    }
  }

  private void writeStackTrace(WriteContext context, Throwable value) {
    ThrowableStory story = unit.outgoing().story();
    int position = story == null ? -1 : story.positionOf(value);
    context.getBuffer().writeVarUInt32(position + 1);
    if (position < 0) {
      context.writeRef(value.getStackTrace());
    }
  }

  private static void writeSuppressed(WriteContext context, Throwable value) {
    boolean enabled = SUPPRESSED.getObject(value) != null;
    Throwable[] suppressed = value.getSuppressed();
    context.getBuffer().writeVarUInt32(enabled ? suppressed.length + 1 : 0);
    for (Throwable each : suppressed) {
      context.writeRef(each);
    }
  }

  @Override
  public Throwable read(ReadContext context) {
    MemoryBuffer in = context.getBuffer();
    if (in.readByte() == DESCRIPTION) {
      return (Throwable) context.readRef();
    }
    Throwable value = instantiator.newInstance();
    context.reference(value);
    STACK_TRACE.putObject(value, readStackTrace(context));
    MESSAGE.putObject(value, context.readRef());
    CAUSE.putObject(value, in.readBoolean() ? value : context.readRef());
    SUPPRESSED.putObject(value, readSuppressed(context));
    for (ObjectSerializer<Throwable> layer : layers) {
      layer.readAndSetFields(context, value);
    }
    return value;
  }

  private StackTraceElement[] readStackTrace(ReadContext context) {
    int position = context.getBuffer().readVarUInt32() - 1;
    return position < 0
        ? (StackTraceElement[]) context.readRef()
        : unit.incoming().story().frames(position);
  }

  private static @Nullable Object readSuppressed(ReadContext context) {
    int count = context.getBuffer().readVarUInt32() - 1;
    if (count <= 0) {
      return count < 0 ? null : NONE_SUPPRESSED;
    }
    List<Throwable> suppressed = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      suppressed.add((Throwable) context.readRef());
    }
    return suppressed;
  }
}
