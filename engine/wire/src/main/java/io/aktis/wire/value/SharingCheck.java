package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One look through a value that might be shared, with a bound: a value that is too large or too
 * deep to be looked through is copied.
 *
 * <p>Confined to the thread that looks.
 */
final class SharingCheck {
  private static final int MAX_ELEMENTS = 10_000;
  private static final int MAX_DEPTH = 64;

  private final Predicate<MemorySegment> sealedMemory;
  private int left = MAX_ELEMENTS;
  private int depth;

  /** The class that was last found to be shareable always; neighbours are often alike. */
  private @Nullable Class<?> alike;

  SharingCheck(Predicate<MemorySegment> sealedMemory) {
    this.sealedMemory = sealedMemory;
  }

  boolean allows(@Nullable Object value) {
    if (value == null) {
      return true;
    }
    if (--left < 0) {
      return false;
    }
    Class<?> type = value.getClass();
    if (type == alike) {
      return true;
    }
    SharingRule rule = SharingRules.of(type);
    if (rule.always) {
      alike = type;
      return true;
    }
    return !rule.never && looksInto(value, rule);
  }

  private boolean looksInto(Object value, SharingRule rule) {
    if (++depth > MAX_DEPTH) {
      left = 0;
      return false;
    }
    boolean allowed = rule.allows(value, this);
    depth--;
    return allowed;
  }

  boolean isSealed(MemorySegment segment) {
    return sealedMemory.test(segment);
  }
}
