package io.aktis.cluster.membership;

import java.io.IOException;
import java.util.List;

/**
 * A node of the tests that has a process of its own. Says {@code up CONTROL-ADDRESS}, leaves when
 * its standard input ends, and ends with {@link #DOWNED} when it is removed.
 */
final class NodeMain {
  static final int DOWNED = 17;

  private NodeMain() {}

  /** Takes the session, a seed and the number of the node. */
  public static void main(String[] arguments)
      throws JoinException, InterruptedException, IOException {
    Nodes.Config config = new Nodes.Config();
    config.session = arguments[0];
    config.seeds = List.of(arguments[1]);
    config.address = "127.0.0.1:" + (20_000 + Integer.parseInt(arguments[2]));
    config.onDowned = () -> Runtime.getRuntime().halt(DOWNED);
    try (PekkoMembership membership = PekkoMembership.start(config.make())) {
      System.out.println("up " + membership.controlAddress());
      int end = System.in.read();
      System.out.println("leaving after " + end);
    }
  }
}
