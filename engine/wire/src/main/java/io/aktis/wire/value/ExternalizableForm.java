package io.aktis.wire.value;

import java.io.Externalizable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.io.MemoryBufferObjectInput;
import org.apache.fory.io.MemoryBufferObjectOutput;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;

/**
 * The form of classes that are {@link Externalizable}. Fory's own cannot write one inside another
 * of the same class.
 */
final class ExternalizableForm extends Serializer<Externalizable> {
  private final Config config;
  private final Constructor<?> constructor;

  @SuppressWarnings("unchecked")
  ExternalizableForm(TypeResolver resolver, Class<?> type) {
    super(resolver.getConfig(), (Class<Externalizable>) type);
    this.config = resolver.getConfig();
    try {
      this.constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(
          type.getName() + " is Externalizable and has no constructor without arguments", e);
    }
  }

  @Override
  public void write(WriteContext context, Externalizable value) {
    try {
      value.writeExternal(new MemoryBufferObjectOutput(config, context));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Externalizable read(ReadContext context) {
    try {
      Externalizable value = (Externalizable) constructor.newInstance();
      context.reference(value);
      value.readExternal(new MemoryBufferObjectInput(config, context));
      return value;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new ValueDecodeException("cannot read a " + getType().getName(), e);
    }
  }
}
