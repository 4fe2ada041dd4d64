package io.aktis.testkit;

import io.aktis.SessionOptions;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The session that a test wants: the nodes, and what is said when a session is opened on them.
 * Immutable.
 *
 * @param nodes the nodes, at least one
 * @param further options that do not shape nodes
 */
public record SessionShape(List<NodeShape> nodes, UnaryOperator<SessionOptions> further) {
  /** Checks and copies. */
  public SessionShape {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a session needs a node");
    }
  }

  /** Returns the shape of a session on one node with that many CPUs. */
  public static SessionShape ofCpus(double cpus) {
    return new SessionShape(List.of(NodeShape.ofCpus(cpus)), options -> options);
  }

  /** Returns the same nodes with other further options. */
  public SessionShape with(UnaryOperator<SessionOptions> options) {
    return new SessionShape(nodes, options);
  }

  static SessionShape of(EngineTest test) {
    List<NodeShape> nodes =
        test.nodes().length == 0
            ? List.of(NodeShape.of(test))
            : Arrays.stream(test.nodes()).map(NodeShape::of).toList();
    return new SessionShape(nodes, furtherOptions(test));
  }

  /** Describes all of it, for an engine that makes the nodes together with the session. */
  public SessionOptions describe(SessionOptions options) {
    for (NodeShape node : nodes) {
      options.node(node::describe);
    }
    return further.apply(options);
  }

  private static UnaryOperator<SessionOptions> furtherOptions(EngineTest test) {
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
