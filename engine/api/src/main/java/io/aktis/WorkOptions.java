package io.aktis;

import java.time.Duration;

/**
 * The options that tasks, remote functions, maps, streams and actors share. Each method returns a
 * changed copy (or, for builders, the builder) and throws {@link IllegalArgumentException} at once
 * when the value makes no sense or contradicts another option.
 *
 * @param <S> the type that carries the options
 */
public interface WorkOptions<S> {
  /** Returns the options so far. */
  CallOptions options();

  /** Returns this work with other options. */
  S options(CallOptions options);

  /** Asks for CPUs, in steps of 0.0001; 0 is allowed. A task takes 1 if nothing is said. */
  default S cpus(double n) {
    return options(options().withCpus(n));
  }

  /** Asks for GPUs: a fraction below 1, which stays on one device, or a whole number. */
  default S gpus(double n) {
    return options(options().withGpus(n));
  }

  /** Reserves memory, in bytes. It is counted, not enforced. */
  default S memoryBytes(long bytes) {
    return options(options().withMemoryBytes(bytes));
  }

  /** Asks for an amount of a custom resource that nodes were started with. */
  default S resource(String name, double amount) {
    return options(options().withResource(name, amount));
  }

  /** Runs only on nodes whose label follows the rule; several calls must all hold. */
  default S onNodesWith(String label, LabelRule rule) {
    return options(options().withLabel(label, rule));
  }

  /**
   * Adds an alternative, used when no node that matches the ones before has room. What {@link
   * #onNodesWith} says afterwards belongs to the alternative.
   *
   * @throws IllegalArgumentException when there is no selector before it
   */
  default S orNodesWith(String label, LabelRule rule) {
    return options(options().withFallbackLabel(label, rule));
  }

  /**
   * Runs on that node: waits while it is busy, and fails with {@link InfeasibleException} when it
   * is gone or can never hold the work. An id that no node has is refused when the work is
   * submitted.
   */
  default S onNode(String nodeId) {
    return options(options().withScheduling(new Scheduling.OnNode(nodeId, false)));
  }

  /**
   * Runs on that node if it is there and can ever hold the work, and waits while it is busy;
   * otherwise elsewhere.
   */
  default S preferNode(String nodeId) {
    return options(options().withScheduling(new Scheduling.OnNode(nodeId, true)));
  }

  /** Spreads work evenly over the nodes that can hold it. */
  default S spread() {
    return options(options().withScheduling(new Scheduling.Spread()));
  }

  /** Runs in any bundle of the group. */
  default S in(PlacementGroup group) {
    return options(options().withScheduling(new Scheduling.InGroup(group, -1, false)));
  }

  /** Runs in one bundle of the group. */
  default S in(PlacementGroup group, int bundle) {
    return options(options().withScheduling(new Scheduling.InGroup(group, bundle, false)));
  }

  /** Sets where the work may run, for the cases that the other methods do not cover. */
  default S scheduling(Scheduling place) {
    return options(options().withScheduling(place));
  }

  /** Asks for a process of its own, where the engine has processes; embedded it changes nothing. */
  default S isolated() {
    return options(options().withIsolated());
  }

  /**
   * Sets the environment of the process; it goes over that of the task that submits this work, and
   * over that of the session. A jar or directory of it that is not there is a {@link
   * RuntimeEnvException} when the work is submitted.
   */
  default S runtimeEnv(RuntimeEnv env) {
    return options(options().withRuntimeEnv(env));
  }

  /** Limits the time from submission to result; over it the work is cancelled and fails. */
  default S timeout(Duration limit) {
    return options(options().withTimeout(limit));
  }
}
