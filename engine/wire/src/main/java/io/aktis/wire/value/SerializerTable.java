package io.aktis.wire.value;

import java.io.Externalizable;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.EnumSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TimeZone;
import java.util.WeakHashMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.Fory;
import org.apache.fory.config.Config;
import org.apache.fory.resolver.ClassResolver;
import org.apache.fory.resolver.TypeResolver;
import org.apache.fory.serializer.Serializer;
import org.apache.fory.serializer.SerializerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the form of each class. Fory asks once for a class, before it makes up its own mind; null
 * leaves it to Fory.
 *
 * <p>Fory has good forms for the common classes of the JDK. For the others, those of the JDK that
 * write themselves (with {@code writeObject} and the like) are written by the JDK, see {@link
 * JdkStream}: Fory's own imitation fails for some of them.
 *
 * <p>Confined to the thread of its {@link ForyUnit}.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
final class SerializerTable implements SerializerFactory {
  private final ForyUnit unit;

  SerializerTable(ForyUnit unit) {
    this.unit = unit;
  }

  /** Registers the forms that do not depend on what is met. */
  static void register(Fory fory, ForyUnit unit, Map<String, Class<?>> handleTypes) {
    for (ArrayKind kind : ArrayKind.values()) {
      Serializer inBand = fory.getSerializer(kind.type);
      fory.registerSerializer(
          kind.type, new MemorySerializers.OfArray(fory.getConfig(), kind, inBand, unit));
    }
    Config config = fory.getConfig();
    fory.registerSerializer(Locale.class, new JdkForms.OfLocale(config));
    fory.registerSerializer(BigInteger.class, new JdkForms.OfBigInteger(config));
    fory.registerSerializer(BigDecimal.class, new JdkForms.OfBigDecimal(config));
    fory.registerSerializer(StackTraceElement.class, new Frames.Form(config));
    Class<?> keySet = ConcurrentHashMap.KeySetView.class;
    fory.registerSerializer(keySet, new JdkForms.OfKeySet(fory.getTypeResolver(), keySet));
    for (List<?> sample : List.of(List.of(1), List.of(1, 2, 3))) {
      Class<?> type = sample.getClass();
      fory.registerSerializer(type, new JdkForms.OfUnmodifiableList(fory.getTypeResolver(), type));
    }
    for (Class<?> type : ShippingRules.refusedTypes()) {
      if (!Modifier.isAbstract(type.getModifiers())) {
        fory.registerSerializer(type, new RefusingSerializer(fory.getConfig(), type));
      }
    }
    for (Map.Entry<String, Class<?>> handle : handleTypes.entrySet()) {
      Class<?> type = handle.getValue();
      fory.register(type, "aktis", handle.getKey());
      fory.registerSerializer(type, new HandleSerializer(fory.getConfig(), type, unit));
    }
  }

  @Override
  public @Nullable Serializer createSerializer(TypeResolver resolver, Class<?> type) {
    if (type.isArray() || Jdk.isEnum(type) || java.lang.reflect.Proxy.isProxyClass(type)) {
      return null;
    }
    if (Jdk.isLambda(type)) {
      return Serializable.class.isAssignableFrom(type) ? null : refusing(resolver, type);
    }
    if (Tables.isArrow(type)) {
      return new MemorySerializers.OfTable(resolver.getConfig(), type, unit);
    }
    if (ShippingRules.advice(type) != null) {
      return refusing(resolver, type);
    }
    if (Throwable.class.isAssignableFrom(type)) {
      return new ThrowableSerializer(resolver, type, unit);
    }
    if (Jdk.owns(type)) {
      return ofJdk(resolver, type);
    }
    boolean replaced = ClassResolver.useReplaceResolveSerializer(type);
    if (Externalizable.class.isAssignableFrom(type) && !replaced && !isContainer(type)) {
      return new ExternalizableForm(resolver, type);
    }
    return null;
  }

  private static boolean isContainer(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  private @Nullable Serializer ofJdk(TypeResolver resolver, Class<?> type) {
    if (MemorySegment.class.isAssignableFrom(type)) {
      return new MemorySerializers.OfSegment(resolver.getConfig(), type, unit);
    }
    if (ByteBuffer.class.isAssignableFrom(type)) {
      return new MemorySerializers.OfBuffer(resolver.getConfig(), type, unit);
    }
    if (Path.class.isAssignableFrom(type)) {
      return new JdkForms.OfPath(resolver.getConfig(), type);
    }
    if (Map.Entry.class.isAssignableFrom(type) && !Serializable.class.isAssignableFrom(type)) {
      return new JdkForms.OfEntry(resolver.getConfig(), type);
    }
    if (type == IntSummaryStatistics.class
        || type == LongSummaryStatistics.class
        || type == DoubleSummaryStatistics.class) {
      return new JdkForms.OfStatistics(resolver.getConfig(), type);
    }
    if (hasFormInFory(type)) {
      return null;
    }
    return Serializable.class.isAssignableFrom(type)
        ? ofSerializable(resolver, type)
        : ofView(resolver, type);
  }

  /** Classes for which Fory has a form that is not registered under their exact name. */
  private static boolean hasFormInFory(Class<?> type) {
    return type == Class.class
        || Charset.class.isAssignableFrom(type)
        || ZoneId.class.isAssignableFrom(type)
        || type == TimeZone.getTimeZone("UTC").getClass()
        || EnumSet.class.isAssignableFrom(type);
  }

  private static @Nullable Serializer ofSerializable(TypeResolver resolver, Class<?> type) {
    boolean writesItself =
        ClassResolver.requireJavaSerialization(type)
            || ClassResolver.useReplaceResolveSerializer(type)
            || Externalizable.class.isAssignableFrom(type);
    if (!writesItself) {
      return null;
    }
    if (Collection.class.isAssignableFrom(type)) {
      return new JdkStream.OfCollection(resolver, type);
    }
    if (Map.class.isAssignableFrom(type)) {
      return new JdkStream.OfMap(resolver, type);
    }
    return new JdkStream.OfObject(resolver, type);
  }

  /** Parts of a collection, such as the keys of a map, become collections of their own. */
  private static Serializer ofView(TypeResolver resolver, Class<?> type) {
    if (Collection.class.isAssignableFrom(type) && !BlockingQueue.class.isAssignableFrom(type)) {
      return new JdkForms.OfCollectionView(resolver, type);
    }
    if (Map.class.isAssignableFrom(type) && type != WeakHashMap.class) {
      return new JdkForms.OfMapView(resolver, type);
    }
    return refusing(resolver, type);
  }

  private static Serializer refusing(TypeResolver resolver, Class<?> type) {
    return new RefusingSerializer(resolver.getConfig(), type);
  }
}
