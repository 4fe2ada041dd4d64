package io.aktis.testkit;

import io.aktis.SessionOptions.NodeOptions;
import java.io.Serializable;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node of a test offers. Immutable; nodes of equal shapes are equal.
 *
 * @param cpus its CPUs
 * @param gpus its GPUs
 * @param memoryBytes memory that work can reserve; 0 for the engine's default
 * @param objectStoreBytes capacity of its object store; 0 for the engine's default
 * @param labels its labels
 * @param resources its custom resources
 */
public record NodeShape(
    double cpus,
    int gpus,
    long memoryBytes,
    long objectStoreBytes,
    SortedMap<String, String> labels,
    SortedMap<String, Double> resources)
    implements Serializable {
  /** Copies. */
  public NodeShape {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
  }

  /** Returns a node with that many CPUs and what the engine gives by default. */
  public static NodeShape ofCpus(double cpus) {
    return new NodeShape(cpus, 0, 0, 0, new TreeMap<>(), new TreeMap<>());
  }

  static NodeShape of(EngineTest test) {
    return new NodeShape(
        test.cpus(), test.gpus(), 0, test.objectStoreBytes(), new TreeMap<>(), new TreeMap<>());
  }

  static NodeShape of(Node node) {
    SortedMap<String, String> labels = new TreeMap<>();
    for (String label : node.labels()) {
      labels.put(name(label), value(label));
    }
    SortedMap<String, Double> resources = new TreeMap<>();
    for (String resource : node.resources()) {
      resources.put(name(resource), Double.parseDouble(value(resource)));
    }
    return new NodeShape(
        node.cpus(), node.gpus(), node.memoryBytes(), node.objectStoreBytes(), labels, resources);
  }

  private static String name(String entry) {
    return entry.substring(0, entry.indexOf('='));
  }

  private static String value(String entry) {
    return entry.substring(entry.indexOf('=') + 1);
  }

  /** Describes a virtual node of an embedded session. */
  NodeOptions describe(NodeOptions options) {
    options.cpus(cpus).gpus(gpus);
    if (memoryBytes > 0) {
      options.memoryBytes(memoryBytes);
    }
    if (objectStoreBytes > 0) {
      options.objectStoreBytes(objectStoreBytes);
    }
    labels.forEach(options::label);
    resources.forEach(options::resource);
    return options;
  }
}
