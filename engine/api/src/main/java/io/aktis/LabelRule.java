package io.aktis;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node's label must be. */
public sealed interface LabelRule {
  /** Returns a rule that the label has one of {@code values}. */
  static LabelRule in(String... values) {
    return new In(Arrays.asList(values));
  }

  /** Returns a rule that the label is missing or has none of {@code values}. */
  static LabelRule notIn(String... values) {
    return new NotIn(Arrays.asList(values));
  }

  /** Returns a rule that the label is {@code value}. */
  static LabelRule equalTo(String value) {
    return new In(Collections.singletonList(value));
  }

  /** Returns a rule that the node has the label, whatever its value. */
  static LabelRule exists() {
    return new Exists();
  }

  /** Returns whether a node matches whose label is {@code value}, {@code null} if it has none. */
  boolean matches(@Nullable String value);

  /**
   * One of the values.
   *
   * @param values the values
   */
  record In(List<String> values) implements LabelRule {
    /** Checks that there is a value. */
    public In {
      values.forEach(value -> Checks.notNull(value, "a label value"));
      values = List.copyOf(values);
      Checks.atLeast(values.size(), 1, "the number of label values");
    }

    @Override
    public boolean matches(@Nullable String value) {
      return value != null && values.contains(value);
    }
  }

  /**
   * None of the values.
   *
   * @param values the values
   */
  record NotIn(List<String> values) implements LabelRule {
    /** Checks that there is a value. */
    public NotIn {
      values.forEach(value -> Checks.notNull(value, "a label value"));
      values = List.copyOf(values);
      Checks.atLeast(values.size(), 1, "the number of label values");
    }

    @Override
    public boolean matches(@Nullable String value) {
      return value == null || !values.contains(value);
    }
  }

  /** The label exists. */
  record Exists() implements LabelRule {
    @Override
    public boolean matches(@Nullable String value) {
      return value != null;
    }
  }
}
