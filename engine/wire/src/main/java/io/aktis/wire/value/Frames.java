package io.aktis.wire.value;

import java.lang.reflect.Field;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.reflect.FieldAccessor;
import org.apache.fory.serializer.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Lines of stack traces. Beside what its constructor takes, a line knows which parts of it are left
 * out when it is printed; without that, a trace that has travelled would look different.
 */
final class Frames {
  private static final FieldAccessor FORMAT = formatField();

  private Frames() {}

  private static FieldAccessor formatField() {
    try {
      Field field = StackTraceElement.class.getDeclaredField("format");
      return FieldAccessor.createAccessor(field);
    } catch (NoSuchFieldException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static byte format(StackTraceElement frame) {
    return FORMAT.getByte(frame);
  }

  /** Makes a line of its parts, in the order of {@link StackTraceElement}'s constructor. */
  static StackTraceElement make(@Nullable String[] parts, int line, byte format) {
    StackTraceElement frame =
        new StackTraceElement(
            parts[0],
            parts[1],
            parts[2],
            String.valueOf(parts[3]),
            String.valueOf(parts[4]),
            parts[5],
            line);
    FORMAT.putByte(frame, format);
    return frame;
  }

  static @Nullable String[] parts(StackTraceElement frame) {
    return new @Nullable String[] {
      frame.getClassLoaderName(),
      frame.getModuleName(),
      frame.getModuleVersion(),
      frame.getClassName(),
      frame.getMethodName(),
      frame.getFileName()
    };
  }

  /** The form of a line outside of a {@link ThrowableStory}. */
  static final class Form extends Serializer<StackTraceElement> {
    Form(Config config) {
      super(config, StackTraceElement.class, false, true);
    }

    @Override
    public void write(WriteContext context, StackTraceElement frame) {
      for (String part : parts(frame)) {
        context.writeStringRef(part);
      }
      context.getBuffer().writeInt32(frame.getLineNumber());
      context.getBuffer().writeByte(format(frame));
    }

    @Override
    public StackTraceElement read(ReadContext context) {
      @Nullable String[] parts = new String[6];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = context.readStringRef();
      }
      int line = context.getBuffer().readInt32();
      return make(parts, line, context.getBuffer().readByte());
    }
  }
}
