package io.aktis.benchmarks.macro;

import java.util.List;
import java.util.stream.Stream;

/** The loads of {@code aktis bench core}, in the order they are measured. */
public final class CoreLoads {
  private CoreLoads() {}

  /** Returns all loads that an engine can do. */
  public static List<Load> all(Setting setting) {
    return Stream.of(
            SessionLoads.beginning(setting),
            TaskLoads.all(setting),
            ActorLoads.all(setting),
            ObjectLoads.all(setting),
            TransferLoads.all(setting),
            SessionLoads.end(setting))
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Returns the loads of these names, in the order they are measured.
   *
   * @throws IllegalArgumentException when there is none of a name; the message lists all
   */
  public static List<Load> named(Setting setting, List<String> names) {
    List<Load> all = all(setting);
    List<String> known = all.stream().map(Load::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "there is no load '"
                + name
                + "' in mode "
                + setting.mode().key()
                + (setting.nodes() > 1 ? " with " + setting.nodes() + " nodes" : "")
                + "; the loads are "
                + String.join(", ", known));
      }
    }
    return all.stream().filter(load -> names.contains(load.name())).toList();
  }
}
