package io.aktis.wire.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.DoubleSummaryStatistics;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.collection.CollectionSerializer;
import org.apache.fory.serializer.collection.MapSerializer;

/** Forms of JDK classes that users expect to send, and that the JDK itself does not serialize. */
@SuppressWarnings({"rawtypes", "unchecked"})
final class JdkForms {
  private JdkForms() {}

  /** Paths of the default file system, as text. */
  static final class OfPath extends Serializer<Path> {
    OfPath(Config config, Class<?> type) {
      super(config, (Class<Path>) type);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the default file system is one object
    public void write(WriteContext context, Path path) {
      if (path.getFileSystem() != FileSystems.getDefault()) {
        throw new Refusal(
            path, "a path of another file system cannot be sent", "send its URI instead");
      }
      context.writeString(path.toString());
    }

    @Override
    public Path read(ReadContext context) {
      return Path.of(context.readString());
    }
  }

  /** Locales: Fory's own form leaves the script out. */
  static final class OfLocale extends Serializer<Locale> {
    OfLocale(Config config) {
      super(config, Locale.class, true);
    }

    @Override
    public void write(WriteContext context, Locale locale) {
      String tag = locale.toLanguageTag();
      boolean complete = Locale.forLanguageTag(tag).equals(locale);
      context.getBuffer().writeBoolean(complete);
      if (complete) {
        context.writeString(tag);
      } else {
        context.writeString(locale.getLanguage());
        context.writeString(locale.getCountry());
        context.writeString(locale.getVariant());
      }
    }

    @Override
    public Locale read(ReadContext context) {
      if (context.getBuffer().readBoolean()) {
        return Locale.forLanguageTag(context.readString());
      }
      return Locale.of(context.readString(), context.readString(), context.readString());
    }
  }

  /** Integers of any size: Fory's own form ends at 10,000 bytes. */
  static final class OfBigInteger extends Serializer<BigInteger> {
    OfBigInteger(Config config) {
      super(config, BigInteger.class, true);
    }

    @Override
    public void write(WriteContext context, BigInteger value) {
      Memory.writeSized(context.getBuffer(), value.toByteArray());
    }

    @Override
    public BigInteger read(ReadContext context) {
      return new BigInteger(Memory.readSized(context.getBuffer()));
    }
  }

  /** Decimals of any size. */
  static final class OfBigDecimal extends Serializer<BigDecimal> {
    OfBigDecimal(Config config) {
      super(config, BigDecimal.class, true);
    }

    @Override
    public void write(WriteContext context, BigDecimal value) {
      context.getBuffer().writeInt32(value.scale());
      Memory.writeSized(context.getBuffer(), value.unscaledValue().toByteArray());
    }

    @Override
    public BigDecimal read(ReadContext context) {
      int scale = context.getBuffer().readInt32();
      return new BigDecimal(new BigInteger(Memory.readSized(context.getBuffer())), scale);
    }
  }

  /** Entries: what {@link Map#entry} returns, and those of maps, which become their own. */
  static final class OfEntry extends Serializer<Map.Entry> {
    OfEntry(Config config, Class<?> type) {
      super(config, (Class<Map.Entry>) type);
    }

    @Override
    public void write(WriteContext context, Map.Entry entry) {
      context.writeRef(entry.getKey());
      context.writeRef(entry.getValue());
    }

    @Override
    public Map.Entry read(ReadContext context) {
      Object key = context.readRef();
      Object value = context.readRef();
      return getType() == (Class<?>) Map.entry(0, 0).getClass()
          ? Map.entry(key, value)
          : new AbstractMap.SimpleEntry(key, value);
    }
  }

  /** Counts, extremes and sums of numbers. */
  static final class OfStatistics extends Serializer<Object> {
    OfStatistics(Config config, Class<?> type) {
      super(config, (Class<Object>) type);
    }

    @Override
    public void write(WriteContext context, Object statistics) {
      MemoryBuffer out = context.getBuffer();
      switch (statistics) {
        case IntSummaryStatistics ints -> {
          out.writeInt64(ints.getCount());
          out.writeInt32(ints.getMin());
          out.writeInt32(ints.getMax());
          out.writeInt64(ints.getSum());
        }
        case LongSummaryStatistics longs -> {
          out.writeInt64(longs.getCount());
          out.writeInt64(longs.getMin());
          out.writeInt64(longs.getMax());
          out.writeInt64(longs.getSum());
        }
        case DoubleSummaryStatistics doubles -> {
          out.writeInt64(doubles.getCount());
          out.writeFloat64(doubles.getMin());
          out.writeFloat64(doubles.getMax());
          out.writeFloat64(doubles.getSum());
        }
        default -> throw new IllegalArgumentException(statistics.getClass().getName());
      }
    }

    @Override
    public Object read(ReadContext context) {
      MemoryBuffer in = context.getBuffer();
      long count = in.readInt64();
      if (getType() == (Class<?>) IntSummaryStatistics.class) {
        return new IntSummaryStatistics(count, in.readInt32(), in.readInt32(), in.readInt64());
      }
      if (getType() == (Class<?>) LongSummaryStatistics.class) {
        return new LongSummaryStatistics(count, in.readInt64(), in.readInt64(), in.readInt64());
      }
      return new DoubleSummaryStatistics(
          count, in.readFloat64(), in.readFloat64(), in.readFloat64());
    }
  }

  /** Unmodifiable lists; those of {@code Stream.toList()} may hold null, which Fory forgets. */
  static final class OfUnmodifiableList extends CollectionSerializer<List> {
    OfUnmodifiableList(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<List>) type, false, true);
    }

    @Override
    public Collection newCollection(ReadContext context, boolean advances) {
      int size = readCollectionSize(context, context.getBuffer(), advances);
      setNumElements(size);
      return new ArrayList(size);
    }

    @Override
    public List onCollectionRead(Collection elements) {
      boolean nullFree = getType() == (Class<?>) List.of(0).getClass();
      return nullFree ? List.copyOf(elements) : ((List) elements).stream().toList();
    }
  }

  /** Concurrent sets, also the keys of a concurrent map, which become a set without the map. */
  static final class OfKeySet extends CollectionSerializer<Collection> {
    OfKeySet(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<Collection>) type, false);
    }

    @Override
    public Collection newCollection(ReadContext context, boolean advances) {
      setNumElements(readCollectionSize(context, context.getBuffer(), advances));
      return ConcurrentHashMap.newKeySet();
    }
  }

  /** Views such as {@code map.keySet()}: their elements, as a collection that has no map. */
  static final class OfCollectionView extends CollectionSerializer<Collection> {
    OfCollectionView(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<Collection>) type, false);
    }

    @Override
    public Collection onCollectionWrite(WriteContext context, Collection view) {
      context.getBuffer().writeVarUInt32Small7(view.size());
      if (view instanceof SortedSet sorted) {
        context.writeRef(sorted.comparator());
      }
      return view;
    }

    @Override
    public Collection newCollection(ReadContext context, boolean advances) {
      int size = readCollectionSize(context, context.getBuffer(), advances);
      Collection elements;
      if (SortedSet.class.isAssignableFrom(getType())) {
        elements = new TreeSet((java.util.Comparator) context.readRef());
      } else if (Set.class.isAssignableFrom(getType())) {
        elements = new LinkedHashSet();
      } else if (Deque.class.isAssignableFrom(getType())) {
        elements = new ArrayDeque();
      } else {
        elements = new ArrayList();
      }
      setNumElements(size);
      return elements;
    }
  }

  /** Views such as {@code map.reversed()}: their entries, as a map of its own. */
  static final class OfMapView extends MapSerializer<Map> {
    OfMapView(TypeResolver resolver, Class<?> type) {
      super(resolver, (Class<Map>) type, false);
    }

    @Override
    public Map onMapWrite(WriteContext context, Map view) {
      context.getBuffer().writeVarUInt32Small7(view.size());
      if (view instanceof SortedMap sorted) {
        context.writeRef(sorted.comparator());
      }
      return view;
    }

    @Override
    public Map newMap(ReadContext context, boolean advances) {
      int size = readMapSize(context, context.getBuffer(), advances);
      Map entries =
          SortedMap.class.isAssignableFrom(getType())
              ? new TreeMap((java.util.Comparator) context.readRef())
              : new LinkedHashMap();
      setNumElements(size);
      return entries;
    }
  }
}
