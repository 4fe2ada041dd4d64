package io.aktis.wire.value;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rule of each class. What is shared can always be encoded as well, so that a program behaves
 * alike whether its values are shared or sent.
 *
 * <p>A record or lambda whose fields have types that can only hold shareable values is decided once
 * for all instances; where a field might hold something else, such as a {@code List}, its value is
 * looked at. Handles are never shared: they must pass the codec to be counted.
 *
 * <p>Thread-safe. Rules are kept with their class and go when it is unloaded.
 */
final class SharingRules {
  /** Final classes without any state that changes. */
  private static final Set<Class<?>> FINAL_TYPES =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          Void.class,
          Class.class,
          UUID.class,
          URI.class,
          Locale.class,
          Currency.class,
          MathContext.class,
          Pattern.class,
          StackTraceElement.class,
          OptionalInt.class,
          OptionalLong.class,
          OptionalDouble.class,
          DayOfWeek.class,
          Duration.class,
          Instant.class,
          LocalDate.class,
          LocalDateTime.class,
          LocalTime.class,
          MonthDay.class,
          OffsetDateTime.class,
          OffsetTime.class,
          Period.class,
          Year.class,
          YearMonth.class,
          ZoneOffset.class,
          ZonedDateTime.class);

  private static final Map<String, SharingRule> JDK_HIDDEN =
      Map.ofEntries(
          Map.entry("java.util.ImmutableCollections$List12", SharingRule.LIST),
          Map.entry("java.util.ImmutableCollections$ListN", SharingRule.LIST),
          Map.entry("java.util.ImmutableCollections$SubList", SharingRule.LIST),
          Map.entry("java.util.ImmutableCollections$Set12", SharingRule.COLLECTION),
          Map.entry("java.util.ImmutableCollections$SetN", SharingRule.COLLECTION),
          Map.entry("java.util.ImmutableCollections$Map1", SharingRule.MAP),
          Map.entry("java.util.ImmutableCollections$MapN", SharingRule.MAP),
          Map.entry("java.util.Collections$EmptyList", SharingRule.ALWAYS),
          Map.entry("java.util.Collections$EmptySet", SharingRule.ALWAYS),
          Map.entry("java.util.Collections$EmptyMap", SharingRule.ALWAYS),
          Map.entry("java.util.Collections$SingletonList", SharingRule.LIST),
          Map.entry("java.util.Collections$SingletonSet", SharingRule.COLLECTION),
          Map.entry("java.util.Collections$SingletonMap", SharingRule.MAP),
          // Not by making one: that reads all time zones, and opens every jar for more of them.
          Map.entry("java.time.ZoneRegion", SharingRule.ALWAYS),
          Map.entry("java.util.KeyValueHolder", SharingRule.ENTRY),
          Map.entry("java.util.AbstractMap$SimpleImmutableEntry", SharingRule.ENTRY));

  private static final ClassValue<SharingRule> RULES =
      new ClassValue<>() {
        @Override
        protected SharingRule computeValue(Class<?> type) {
          return ruleOf(type);
        }
      };

  private SharingRules() {}

  static SharingRule of(Class<?> type) {
    return RULES.get(type);
  }

  private static SharingRule ruleOf(Class<?> type) {
    if (FINAL_TYPES.contains(type) || Jdk.isEnum(type)) {
      return SharingRule.ALWAYS;
    }
    if (type.isRecord() || (Jdk.isLambda(type) && Serializable.class.isAssignableFrom(type))) {
      return ruleOfFields(type);
    }
    if (!Jdk.owns(type)) {
      return SharingRule.NEVER;
    }
    if (type == BigInteger.class || type == BigDecimal.class || type == java.io.File.class) {
      return SharingRule.ALWAYS;
    }
    if (type == Optional.class) {
      return SharingRule.OPTIONAL;
    }
    if (Charset.class.isAssignableFrom(type)) {
      return SharingRule.ALWAYS;
    }
    if (Path.class.isAssignableFrom(type)) {
      return SharingRule.PATH;
    }
    if (MemorySegment.class.isAssignableFrom(type)) {
      return SharingRule.SEGMENT;
    }
    return JDK_HIDDEN.getOrDefault(type.getName(), SharingRule.NEVER);
  }

  private static SharingRule ruleOfFields(Class<?> type) {
    List<Field> undecided = new ArrayList<>();
    for (Field field : instanceFields(type)) {
      if (field.getType().isArray()) {
        return SharingRule.NEVER;
      }
      if (!holdsOnlyShareable(field.getType(), new HashSet<>(Set.of(type)))) {
        undecided.add(field);
      }
    }
    if (undecided.isEmpty()) {
      return SharingRule.ALWAYS;
    }
    MethodHandle[] getters = getters(type, undecided);
    return getters == null ? SharingRule.NEVER : new FieldsRule(getters);
  }

  private static List<Field> instanceFields(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .toList();
  }

  /**
   * Returns whether a variable of that type can hold nothing but shareable values. Types that are
   * being looked at already count as such: they are what everything else depends on.
   */
  private static boolean holdsOnlyShareable(Class<?> type, Set<Class<?>> seen) {
    if (type.isPrimitive() || FINAL_TYPES.contains(type) || type.isEnum() || !seen.add(type)) {
      return true;
    }
    if (type.isRecord()) {
      return instanceFields(type).stream()
          .allMatch(field -> holdsOnlyShareable(field.getType(), seen));
    }
    boolean abstractType = Modifier.isAbstract(type.getModifiers());
    return type.isSealed()
        && abstractType
        && Arrays.stream(type.getPermittedSubclasses())
            .allMatch(permitted -> holdsOnlyShareable(permitted, seen));
  }

  /** Returns readers of the fields, null if their module keeps them closed. */
  private static MethodHandle @Nullable [] getters(Class<?> type, List<Field> fields) {
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      MethodHandle[] getters = new MethodHandle[fields.size()];
      for (int i = 0; i < getters.length; i++) {
        getters[i] =
            lookup
                .unreflectGetter(fields.get(i))
                .asType(MethodType.methodType(Object.class, Object.class));
      }
      return getters;
    } catch (IllegalAccessException e) {
      return null;
    }
  }

  /** Looks at the fields that may hold something else than shareable values. */
  private static final class FieldsRule extends SharingRule {
    private final MethodHandle[] getters;

    FieldsRule(MethodHandle[] getters) {
      this.getters = getters;
    }

    @Override
    boolean allows(Object value, SharingCheck check) {
      for (MethodHandle getter : getters) {
        if (!check.allows(read(getter, value))) {
          return false;
        }
      }
      return true;
    }

    private static @Nullable Object read(MethodHandle getter, Object value) {
      try {
        return getter.invokeExact(value);
      } catch (Throwable e) {
        throw new IllegalStateException("cannot read a field of " + value.getClass(), e);
      }
    }
  }
}
