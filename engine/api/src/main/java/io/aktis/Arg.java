package io.aktis;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An argument of remote code: a reference to a value, or a value that was wrapped so that it can
 * stand among references.
 *
 * @param <T> type of the value
 */
public interface Arg<T extends @Nullable Object> {
  /** Wraps a value; {@code null} is a value. */
  static <T extends @Nullable Object> Arg<T> of(T value) {
    return new Value<>(value);
  }

  /**
   * A wrapped value.
   *
   * @param value the value
   * @param <T> type of the value
   */
  record Value<T extends @Nullable Object>(T value) implements Arg<T> {
    @Override
    public String toString() {
      return Objects.toString(value);
    }
  }
}
