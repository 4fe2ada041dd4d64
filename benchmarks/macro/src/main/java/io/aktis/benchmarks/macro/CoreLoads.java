package io.aktis.benchmarks.macro;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The loads of {@code aktis bench core}, in the order they are measured. */
public final class CoreLoads {
  private static final Map<String, Load> ALL = new LinkedHashMap<>();

  static {
    Stream.of(
            SessionLoads.beginning(),
            TaskLoads.all(),
            ActorLoads.all(),
            ObjectLoads.all(),
            SessionLoads.end())
        .flatMap(List::stream)
        .forEach(load -> ALL.put(load.name(), load));
  }

  private CoreLoads() {}

  /** Returns all loads. */
  public static List<Load> all() {
    return List.copyOf(ALL.values());
  }

  /** Returns the names of all loads. */
  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /**
   * Returns the loads of these names, in the order they are measured.
   *
   * @throws IllegalArgumentException when there is none of a name; the message lists all
   */
  public static List<Load> named(List<String> names) {
    for (String name : names) {
      if (!ALL.containsKey(name)) {
        throw new IllegalArgumentException(
            "there is no load '" + name + "'; the loads are " + String.join(", ", ALL.keySet()));
      }
    }
    return ALL.values().stream().filter(load -> names.contains(load.name())).toList();
  }
}
