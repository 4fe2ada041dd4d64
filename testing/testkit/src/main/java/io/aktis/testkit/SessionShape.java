package io.aktis.testkit;

import io.aktis.SessionOptions;
import io.aktis.SessionOptions.NodeOptions;
import java.lang.reflect.Constructor;
import java.util.function.UnaryOperator;

/** The options of a session as an {@link EngineTest} describes them. */
final class SessionShape implements UnaryOperator<SessionOptions> {
  private final EngineTest test;

  SessionShape(EngineTest test) {
    this.test = test;
  }

  @Override
  public SessionOptions apply(SessionOptions options) {
    if (test.nodes().length == 0) {
      options.cpus(test.cpus()).gpus(test.gpus());
      if (test.objectStoreBytes() > 0) {
        options.objectStoreBytes(test.objectStoreBytes());
      }
    }
    for (Node node : test.nodes()) {
      options.node(described -> describe(node, described));
    }
    return furtherOptions().apply(options);
  }

  private static NodeOptions describe(Node node, NodeOptions options) {
    options.cpus(node.cpus()).gpus(node.gpus());
    if (node.memoryBytes() > 0) {
      options.memoryBytes(node.memoryBytes());
    }
    if (node.objectStoreBytes() > 0) {
      options.objectStoreBytes(node.objectStoreBytes());
    }
    for (String label : node.labels()) {
      options.label(name(label), value(label));
    }
    for (String resource : node.resources()) {
      options.resource(name(resource), Double.parseDouble(value(resource)));
    }
    return options;
  }

  private static String name(String entry) {
    return entry.substring(0, entry.indexOf('='));
  }

  private static String value(String entry) {
    return entry.substring(entry.indexOf('=') + 1);
  }

  private UnaryOperator<SessionOptions> furtherOptions() {
    try {
      Constructor<? extends UnaryOperator<SessionOptions>> constructor =
          test.options().getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          test.options() + " needs a constructor without parameters", e);
    }
  }
}
