package io.aktis;

import java.util.Map;
import java.util.TreeMap;

/**
 * Resources that a placement group reserves together on one node. Immutable.
 *
 * @param cpus CPUs
 * @param gpus GPUs, a fraction below 1 or a whole number
 * @param memoryBytes memory in bytes
 * @param resources custom resources
 */
public record Bundle(double cpus, double gpus, long memoryBytes, Map<String, Double> resources) {
  /** Checks the amounts; a bundle of nothing is an error. */
  public Bundle {
    Checks.amount(cpus, "the cpus of a bundle");
    Checks.gpus(gpus);
    Checks.atLeast(memoryBytes, 0, "the memory of a bundle");
    resources = Map.copyOf(resources);
    resources.forEach((name, amount) -> Checks.amount(amount, "the amount of " + name));
    boolean custom = resources.values().stream().anyMatch(amount -> amount > 0);
    if (cpus == 0 && gpus == 0 && memoryBytes == 0 && !custom) {
      throw new IllegalArgumentException("a bundle must reserve something; this one is empty");
    }
  }

  /** Returns a bundle of CPUs. */
  public static Bundle of(double cpus) {
    return new Bundle(cpus, 0, 0, Map.of());
  }

  /** Returns a bundle of GPUs alone. */
  public static Bundle ofGpus(double gpus) {
    return new Bundle(0, gpus, 0, Map.of());
  }

  /** Returns a copy with GPUs. */
  public Bundle gpus(double n) {
    return new Bundle(cpus, n, memoryBytes, resources);
  }

  /** Returns a copy with memory, in bytes. */
  public Bundle memoryBytes(long bytes) {
    return new Bundle(cpus, gpus, bytes, resources);
  }

  /** Returns a copy with a custom resource. */
  public Bundle resource(String name, double amount) {
    Map<String, Double> more = new TreeMap<>(resources);
    more.put(Checks.text(name, "the resource's name"), amount);
    return new Bundle(cpus, gpus, memoryBytes, more);
  }
}
