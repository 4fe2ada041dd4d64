package io.aktis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Named groups of an actor's calls, each with its own limit of calls at a time; a busy group does
 * not hold back the others. Immutable.
 *
 * @param limits calls at a time, by group
 */
public record ConcurrencyGroups(Map<String, Integer> limits) {
  /** No groups. */
  public static final ConcurrencyGroups NONE = new ConcurrencyGroups(Map.of());

  /** Checks names and limits. */
  public ConcurrencyGroups {
    limits.forEach((name, limit) -> {
      Checks.text(name, "the group's name");
      Checks.atLeast(limit, 1, "the limit of group '" + name + "'");
    });
    limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
  }

  /** Returns one group. */
  public static ConcurrencyGroups of(String name, int limit) {
    return NONE.and(name, limit);
  }

  /** Returns two groups. */
  public static ConcurrencyGroups of(String name, int limit, String name2, int limit2) {
    return of(name, limit).and(name2, limit2);
  }

  /** Returns these groups and another one. */
  public ConcurrencyGroups and(String name, int limit) {
    Map<String, Integer> more = new LinkedHashMap<>(limits);
    if (more.put(name, limit) != null) {
      throw new IllegalArgumentException("the group '" + name + "' is named twice");
    }
    return new ConcurrencyGroups(more);
  }
}
