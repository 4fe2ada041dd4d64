package io.aktis.runtime.session;

import org.jspecify.annotations.Nullable;

/**
 * A value that everybody gets as it is, where it could be taken for something else: null, and the
 * results of work that stays in this process.
 *
 * @param value the value
 */
record SharedValue(@Nullable Object value) {
  static final SharedValue NULL = new SharedValue(null);
}
