package io.aktis.runtime.session;

import io.aktis.CallOptions;
import io.aktis.LabelRule;
import io.aktis.PlacementGroupRemovedException;
import io.aktis.RuntimeEnvException;
import io.aktis.Scheduling;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.NodeId;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.Strategy;
import io.aktis.runtime.port.ClusterPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Translates options into what the machines use, once for equal options. Thread-safe. */
final class SettingsTable {
  private static final int MAX_ENTRIES = 4096;

  private final OwnerKernel kernel;
  private final Environments environments;
  private final Map<Key, Settings> known = new ConcurrentHashMap<>();
  private final Settings taskDefaults;

  /**
   * Makes a table.
   *
   * @param port reads files of environments; null for an embedded session
   */
  SettingsTable(OwnerKernel kernel, @Nullable ClusterPort port) {
    this.kernel = kernel;
    this.environments = new Environments(kernel, port);
    this.taskDefaults = make(new Key(CallOptions.DEFAULTS, false));
  }

  /**
   * Returns the settings of a task.
   *
   * @throws RuntimeEnvException when the options ask for an environment that cannot be set up
   */
  @SuppressWarnings("ReferenceEquality") // the usual case without hashing; equal others are found
  Settings task(CallOptions options) {
    return options == CallOptions.DEFAULTS ? taskDefaults : find(new Key(options, false));
  }

  /** Returns the settings of an actor's creation. */
  Settings creation(CallOptions options) {
    return find(new Key(options, true));
  }

  private Settings find(Key key) {
    environments.check(key.options.runtimeEnv());
    Settings settings = known.get(key);
    if (settings == null) {
      settings = make(key);
      if (known.size() >= MAX_ENTRIES) {
        known.clear();
      }
      known.put(key, settings);
    }
    return settings;
  }

  private Settings make(Key key) {
    CallOptions options = key.options;
    Group group = groupOf(options);
    ShapeKey shapeKey =
        new ShapeKey(
            demand(options, key.actor),
            strategy(options),
            selector(options),
            bundle(options),
            environments.needs(options));
    return new Settings(
        options,
        kernel.ask(() -> kernel.owner().shape(shapeKey)),
        shown(shapeKey.demand().toHold()),
        group);
  }

  static Demand demand(CallOptions options, boolean actor) {
    double hold = options.cpus().orElse(actor ? 0 : 1);
    double place = options.cpus().orElse(1);
    return new Demand(resources(options, place), resources(options, hold));
  }

  private static Resources resources(CallOptions options, double cpus) {
    return Resources.of(cpus, options.gpus(), options.memoryBytes(), options.resources());
  }

  private Strategy strategy(CallOptions options) {
    return switch (options.scheduling()) {
      case Scheduling.Default _ -> Strategy.DEFAULT;
      case Scheduling.Spread _ -> Strategy.SPREAD;
      case Scheduling.OnNode on -> new Strategy.OnNode(nodeId(on.nodeId()), on.soft());
      case Scheduling.InGroup in -> new Strategy.InGroup(bundleId(in));
    };
  }

  private NodeId nodeId(String text) {
    TreeSet<String> names = new TreeSet<>();
    for (NodePort node : kernel.nodes()) {
      if (node.id().toString().equals(text)) {
        return node.id();
      }
      names.add(node.id().toString());
    }
    throw new IllegalArgumentException("there is no node '" + text + "'; there are " + names);
  }

  private BundleId bundleId(Scheduling.InGroup in) {
    Group group = Group.checked(in.group(), kernel);
    if (group.isRemoved()) {
      throw new PlacementGroupRemovedException(
          "Placement group " + group.id() + " was removed; nothing can run in it.");
    }
    return new BundleId(group.groupId(), in.bundle());
  }

  private @Nullable BundleId bundle(CallOptions options) {
    return options.scheduling() instanceof Scheduling.InGroup in ? bundleId(in) : null;
  }

  private @Nullable Group groupOf(CallOptions options) {
    return options.scheduling() instanceof Scheduling.InGroup in
        ? Group.checked(in.group(), kernel)
        : null;
  }

  private static LabelSelector selector(CallOptions options) {
    LabelSelector selector = LabelSelector.ANY;
    for (int i = 0; i < options.selectors().size(); i++) {
      LabelSelector.Term[] terms = terms(options.selectors().get(i));
      selector = i == 0 ? LabelSelector.all(terms) : selector.orElse(terms);
    }
    return selector;
  }

  private static LabelSelector.Term[] terms(Map<String, LabelRule> conjunction) {
    List<LabelSelector.Term> terms = new ArrayList<>();
    new TreeMap<>(conjunction)
        .forEach((key, rule) ->
            terms.add(
                switch (rule) {
                  case LabelRule.In in ->
                      LabelSelector.Term.in(key, in.values().toArray(String[]::new));
                  case LabelRule.NotIn in ->
                      LabelSelector.Term.notIn(key, in.values().toArray(String[]::new));
                  case LabelRule.Exists _ -> LabelSelector.Term.exists(key);
                }));
    return terms.toArray(LabelSelector.Term[]::new);
  }

  /** Returns resources in the form that people see. */
  static Map<String, Double> shown(Resources resources) {
    Map<String, Double> shown = new TreeMap<>();
    double one = Resources.UNITS_PER_ONE;
    if (resources.cpuUnits() > 0) {
      shown.put("CPU", resources.cpuUnits() / one);
    }
    if (resources.gpuUnits() > 0) {
      shown.put("GPU", resources.gpuUnits() / one);
    }
    if (resources.memoryBytes() > 0) {
      shown.put("memory", (double) resources.memoryBytes());
    }
    resources.customUnits().forEach((name, units) -> shown.put(name, units / one));
    return Map.copyOf(shown);
  }

  private record Key(CallOptions options, boolean actor) {}
}
