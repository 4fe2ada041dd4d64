package io.aktis.wire.value;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.collection.CollectionSerializer;
import org.apache.fory.serializer.collection.MapSerializer;

/**
 * The form of JDK classes that write themselves: what the JDK's own serialization makes of them.
 * Objects inside that are not the JDK's are taken out of its hands and written by Fory, so that
 * they need not be {@link Serializable}, handles are counted, and what is refused is refused.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
final class JdkStream {
  private JdkStream() {}

  /** Stands for an object that Fory has written. */
  private record Guest(int index) implements Serializable {}

  static final class OfObject extends Serializer<Object> {
    private final ClassLoader loader;

    OfObject(TypeResolver resolver, Class<?> type) {
      super(resolver.getConfig(), (Class<Object>) type);
      this.loader = resolver.getClassLoader();
    }

    @Override
    public void write(WriteContext context, Object value) {
      JdkStream.write(context, value);
    }

    @Override
    public Object read(ReadContext context) {
      return JdkStream.read(context, loader);
    }
  }

  static final class OfCollection extends CollectionSerializer<Collection> {
    private final ClassLoader loader;

    OfCollection(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<Collection>) type, false);
      this.loader = resolver.getClassLoader();
    }

    @Override
    public void write(WriteContext context, Collection value) {
      JdkStream.write(context, value);
    }

    @Override
    public Collection read(ReadContext context) {
      return (Collection) JdkStream.read(context, loader);
    }
  }

  static final class OfMap extends MapSerializer<Map> {
    private final ClassLoader loader;

    OfMap(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<Map>) type, false);
      this.loader = resolver.getClassLoader();
    }

    @Override
    public void write(WriteContext context, Map value) {
      JdkStream.write(context, value);
    }

    @Override
    public Map read(ReadContext context) {
      return (Map) JdkStream.read(context, loader);
    }
  }

  private static void write(WriteContext context, Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Object> guests = new ArrayList<>();
    try (Writer writer = new Writer(bytes, guests)) {
      writer.writeObject(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    MemoryBuffer out = context.getBuffer();
    out.writeVarUInt32(guests.size());
    for (Object guest : guests) {
      context.writeRef(guest);
    }
    Memory.writeSized(out, bytes.toByteArray());
  }

  private static Object read(ReadContext context, ClassLoader loader) {
    MemoryBuffer in = context.getBuffer();
    Object[] guests = new Object[in.readVarUInt32()];
    for (int i = 0; i < guests.length; i++) {
      guests[i] = context.readRef();
    }
    InputStream bytes = new ByteArrayInputStream(Memory.readSized(in));
    try (Reader reader = new Reader(bytes, guests, loader)) {
      return reader.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new ValueDecodeException("a class is missing: " + e.getMessage(), e);
    }
  }

  private static final class Writer extends ObjectOutputStream {
    private final List<Object> guests;

    Writer(OutputStream out, List<Object> guests) throws IOException {
      super(out);
      this.guests = guests;
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      Class<?> type = object.getClass();
      if (Jdk.owns(type) && isHost(object, type)) {
        return object;
      }
      guests.add(object);
      return new Guest(guests.size() - 1);
    }

    private static boolean isHost(Object object, Class<?> type) {
      return object instanceof Serializable && !Jdk.isLambda(type) && ArrayKind.of(type) == null;
    }
  }

  private static final class Reader extends ObjectInputStream {
    private final Object[] guests;
    private final ClassLoader loader;

    Reader(InputStream in, Object[] guests, ClassLoader loader) throws IOException {
      super(in);
      this.guests = guests;
      this.loader = loader;
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      return object instanceof Guest guest ? guests[guest.index()] : object;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      if (description.getName().equals(Guest.class.getName())) {
        return Guest.class;
      }
      try {
        return Class.forName(description.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
