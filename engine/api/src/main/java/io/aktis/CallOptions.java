package io.aktis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a task or an actor as one immutable value; usually written through the methods of
 * {@link TaskOptions} and {@link ActorCall}.
 *
 * @param cpus CPUs; empty for the default: 1 for a task; 1 to place and 0 to run for an actor
 * @param gpus GPUs: a fraction below 1 or a whole number
 * @param memoryBytes memory in bytes, 0 for none reserved
 * @param resources custom resources
 * @param selectors label selectors: alternatives in order of preference, each a conjunction
 * @param scheduling where it may run
 * @param name name shown in tools and failures, {@code null} for the name of the code
 * @param maxRetries how often the task is run again after its process or node was lost, and how
 *     often after a failure that {@code retryOn} names, each counted on its own
 * @param retryOn failures of the code itself that are retried
 * @param timeout time limit from submission to result, {@code null} for none
 * @param isolated whether the work gets a process of its own, where the engine has processes
 * @param runtimeEnv the environment of the process
 */
public record CallOptions(
    OptionalDouble cpus,
    double gpus,
    long memoryBytes,
    Map<String, Double> resources,
    List<Map<String, LabelRule>> selectors,
    Scheduling scheduling,
    @Nullable String name,
    int maxRetries,
    List<Class<? extends Throwable>> retryOn,
    @Nullable Duration timeout,
    boolean isolated,
    RuntimeEnv runtimeEnv) {
  /** The options of work for which nothing was said. */
  public static final CallOptions DEFAULTS =
      new CallOptions(
          OptionalDouble.empty(),
          0,
          0,
          Map.of(),
          List.of(),
          new Scheduling.Default(),
          null,
          3,
          List.of(),
          null,
          false,
          RuntimeEnv.NONE);

  /** Checks every option. */
  public CallOptions {
    cpus.ifPresent(n -> Checks.amount(n, "cpus"));
    Checks.gpus(gpus);
    Checks.atLeast(memoryBytes, 0, "memoryBytes");
    resources = Map.copyOf(resources);
    selectors = List.copyOf(selectors);
    retryOn = List.copyOf(retryOn);
    Checks.atLeast(maxRetries, 0, "maxRetries");
    if (timeout != null) {
      Checks.positive(timeout, "the timeout");
    }
    if (!selectors.isEmpty() && scheduling instanceof Scheduling.OnNode node && !node.soft()) {
      throw new IllegalArgumentException(
          "onNode names one node already, so a label selector beside it can only contradict it;"
              + " leave one of them out, or use preferNode");
    }
  }

  /** Returns a copy with that many CPUs. */
  public CallOptions withCpus(double n) {
    return new Draft(this).cpus(OptionalDouble.of(n)).build();
  }

  /** Returns a copy with that many GPUs. */
  public CallOptions withGpus(double n) {
    return new Draft(this).gpus(n).build();
  }

  /** Returns a copy with reserved memory, in bytes. */
  public CallOptions withMemoryBytes(long bytes) {
    return new Draft(this).memoryBytes(bytes).build();
  }

  /** Returns a copy with an amount of a custom resource. */
  public CallOptions withResource(String resource, double amount) {
    Checks.text(resource, "the resource's name");
    if (List.of("CPU", "GPU", "MEMORY").contains(resource.toUpperCase(java.util.Locale.ROOT))) {
      throw new IllegalArgumentException(
          "'" + resource + "' is not a custom resource; use cpus, gpus or memoryBytes");
    }
    Map<String, Double> more = new TreeMap<>(resources);
    more.put(resource, Checks.amount(amount, "the amount of " + resource));
    return new Draft(this).resources(more).build();
  }

  /** Returns a copy whose last selector also asks for this label. */
  public CallOptions withLabel(String label, LabelRule rule) {
    Checks.text(label, "the label's name");
    Checks.notNull(rule, "the label rule");
    List<Map<String, LabelRule>> more = new ArrayList<>(selectors);
    int last = more.size() - 1;
    Map<String, LabelRule> conjunction = new TreeMap<>(last < 0 ? Map.of() : more.get(last));
    conjunction.put(label, rule);
    if (last < 0) {
      more.add(conjunction);
    } else {
      more.set(last, conjunction);
    }
    return new Draft(this).selectors(more).build();
  }

  /**
   * Returns a copy with a further selector, used when no node that matches the ones before has
   * room.
   *
   * @throws IllegalArgumentException when there is no selector before it
   */
  public CallOptions withFallbackLabel(String label, LabelRule rule) {
    Checks.text(label, "the label's name");
    if (selectors.isEmpty()) {
      throw new IllegalArgumentException("a fallback needs a label selector before it");
    }
    List<Map<String, LabelRule>> more = new ArrayList<>(selectors);
    more.add(Map.of(label, Checks.notNull(rule, "the label rule")));
    return new Draft(this).selectors(more).build();
  }

  /** Returns a copy with a place to run. */
  public CallOptions withScheduling(Scheduling place) {
    return new Draft(this).scheduling(Checks.notNull(place, "the scheduling")).build();
  }

  /** Returns a copy with a name. */
  public CallOptions withName(String text) {
    return new Draft(this).name(Checks.text(text, "the name")).build();
  }

  /** Returns a copy with that retry budget. */
  public CallOptions withMaxRetries(int retries) {
    return new Draft(this).maxRetries(retries).build();
  }

  /** Returns a copy that retries these failures of the code. */
  public CallOptions withRetryOn(List<Class<? extends Throwable>> failures) {
    return new Draft(this).retryOn(failures).build();
  }

  /** Returns a copy with a time limit. */
  public CallOptions withTimeout(Duration limit) {
    return new Draft(this).timeout(Checks.positive(limit, "the timeout")).build();
  }

  /** Returns a copy for a process of its own. */
  public CallOptions withIsolated() {
    return new Draft(this).isolated().build();
  }

  /** Returns a copy with a runtime environment. */
  public CallOptions withRuntimeEnv(RuntimeEnv env) {
    return new Draft(this).runtimeEnv(Checks.notNull(env, "the runtime environment")).build();
  }

  /** The fields while one of them changes. */
  private static final class Draft {
    private OptionalDouble cpus;
    private double gpus;
    private long memoryBytes;
    private Map<String, Double> resources;
    private List<Map<String, LabelRule>> selectors;
    private Scheduling scheduling;
    private @Nullable String name;
    private int maxRetries;
    private List<Class<? extends Throwable>> retryOn;
    private @Nullable Duration timeout;
    private boolean isolated;
    private RuntimeEnv runtimeEnv;

    Draft(CallOptions from) {
      cpus = from.cpus;
      gpus = from.gpus;
      memoryBytes = from.memoryBytes;
      resources = from.resources;
      selectors = from.selectors;
      scheduling = from.scheduling;
      name = from.name;
      maxRetries = from.maxRetries;
      retryOn = from.retryOn;
      timeout = from.timeout;
      isolated = from.isolated;
      runtimeEnv = from.runtimeEnv;
    }

    Draft cpus(OptionalDouble value) {
      cpus = value;
      return this;
    }

    Draft gpus(double value) {
      gpus = value;
      return this;
    }

    Draft memoryBytes(long value) {
      memoryBytes = value;
      return this;
    }

    Draft resources(Map<String, Double> value) {
      resources = value;
      return this;
    }

    Draft selectors(List<Map<String, LabelRule>> value) {
      selectors = value;
      return this;
    }

    Draft scheduling(Scheduling value) {
      scheduling = value;
      return this;
    }

    Draft name(String value) {
      name = value;
      return this;
    }

    Draft maxRetries(int value) {
      maxRetries = value;
      return this;
    }

    Draft retryOn(List<Class<? extends Throwable>> value) {
      retryOn = value;
      return this;
    }

    Draft timeout(Duration value) {
      timeout = value;
      return this;
    }

    Draft isolated() {
      isolated = true;
      return this;
    }

    Draft runtimeEnv(RuntimeEnv value) {
      runtimeEnv = value;
      return this;
    }

    CallOptions build() {
      return new CallOptions(
          cpus,
          gpus,
          memoryBytes,
          resources,
          selectors,
          scheduling,
          name,
          maxRetries,
          retryOn,
          timeout,
          isolated,
          runtimeEnv);
    }
  }
}
