package io.aktis.core.resource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which nodes will do, by their labels: a list of alternatives, the best first, each a list of
 * terms that must all hold. Immutable and safe for any thread.
 *
 * @param alternatives at least one; a later one is used only when no node of an earlier one can be
 *     had
 */
public record LabelSelector(List<List<Term>> alternatives) {
  /** Every node will do. */
  public static final LabelSelector ANY = new LabelSelector(List.of(List.of()));

  /** Copies the lists. */
  public LabelSelector {
    if (alternatives.isEmpty()) {
      throw new IllegalArgumentException("a label selector needs at least one alternative");
    }
    alternatives = alternatives.stream().map(List::copyOf).toList();
  }

  /** Returns the selector whose {@code terms} must all hold. */
  public static LabelSelector all(Term... terms) {
    return new LabelSelector(List.of(List.of(terms)));
  }

  /** Returns this selector with one more alternative, used when none before it can be had. */
  public LabelSelector orElse(Term... terms) {
    List<List<Term>> more = new ArrayList<>(alternatives);
    more.add(List.of(terms));
    return new LabelSelector(more);
  }

  /** Tells whether every node will do. */
  public boolean isAny() {
    return alternatives.getFirst().isEmpty();
  }

  /** Tells whether some alternative holds for {@code labels}. */
  public boolean matches(SortedMap<String, String> labels) {
    return rank(labels) >= 0;
  }

  /** Returns the place of the first alternative that holds for {@code labels}, or -1. */
  public int rank(SortedMap<String, String> labels) {
    for (int i = 0; i < alternatives.size(); i++) {
      if (matches(i, labels)) {
        return i;
      }
    }
    return -1;
  }

  /** Tells whether the given alternative holds for {@code labels}. */
  public boolean matches(int alternative, SortedMap<String, String> labels) {
    for (Term term : alternatives.get(alternative)) {
      if (!term.matches(labels)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    for (List<Term> alternative : alternatives) {
      out.append(out.isEmpty() ? "" : " or else ");
      out.append(alternative.isEmpty() ? "any node" : "");
      for (int i = 0; i < alternative.size(); i++) {
        out.append(i == 0 ? "" : " and ").append(alternative.get(i));
      }
    }
    return out.toString();
  }

  /** One condition on one label. */
  public sealed interface Term {
    /** Returns the name of the label. */
    String key();

    /** Tells whether the condition holds. */
    boolean matches(SortedMap<String, String> labels);

    /** The label is there and has this value. */
    static Term equalTo(String key, String value) {
      return new In(key, new TreeSet<>(List.of(value)));
    }

    /** The label is there and has one of these values. */
    static Term in(String key, String... values) {
      return new In(key, new TreeSet<>(List.of(values)));
    }

    /** The label is not there, or has none of these values. */
    static Term notIn(String key, String... values) {
      return new NotIn(key, new TreeSet<>(List.of(values)));
    }

    /** The label is there. */
    static Term exists(String key) {
      return new Exists(key);
    }

    /** The label is not there. */
    static Term notExists(String key) {
      return new NotExists(key);
    }
  }

  /** The label is there and has one of {@code values}. */
  public record In(String key, SortedSet<String> values) implements Term {
    /** Checks that there is a value. */
    public In {
      values = checked(key, values);
    }

    @Override
    public boolean matches(SortedMap<String, String> labels) {
      String value = labels.get(key);
      return value != null && values.contains(value);
    }

    @Override
    public String toString() {
      return values.size() == 1 ? key + " = " + values.first() : key + " in " + values;
    }
  }

  /** The label is not there, or has none of {@code values}. */
  public record NotIn(String key, SortedSet<String> values) implements Term {
    /** Checks that there is a value. */
    public NotIn {
      values = checked(key, values);
    }

    @Override
    public boolean matches(SortedMap<String, String> labels) {
      String value = labels.get(key);
      return value == null || !values.contains(value);
    }

    @Override
    public String toString() {
      return values.size() == 1 ? key + " != " + values.first() : key + " not in " + values;
    }
  }

  /** The label is there. */
  public record Exists(String key) implements Term {
    @Override
    public boolean matches(SortedMap<String, String> labels) {
      return labels.containsKey(key);
    }

    @Override
    public String toString() {
      return key + " exists";
    }
  }

  /** The label is not there. */
  public record NotExists(String key) implements Term {
    @Override
    public boolean matches(SortedMap<String, String> labels) {
      return !labels.containsKey(key);
    }

    @Override
    public String toString() {
      return key + " does not exist";
    }
  }

  private static SortedSet<String> checked(String key, SortedSet<String> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("the condition on label " + key + " names no value");
    }
    return Collections.unmodifiableSortedSet(new TreeSet<>(values));
  }
}
