package io.aktis.runtime.embedded;

import org.jspecify.annotations.Nullable;

/**
 * A value that cannot change, which everybody may have as it is.
 *
 * @param value the value
 */
record SharedValue(@Nullable Object value) {
  static final SharedValue NULL = new SharedValue(null);
}
