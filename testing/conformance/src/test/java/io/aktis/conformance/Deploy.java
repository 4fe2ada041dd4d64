package io.aktis.conformance;

import io.aktis.SessionOptions;
import io.aktis.testkit.ClusterUnderTest;
import io.aktis.testkit.Deployment;
import io.aktis.testkit.SessionShape;
import java.util.function.UnaryOperator;

/** Nodes for the tests that open sessions themselves, in the mode of this run. */
final class Deploy {
  private Deploy() {}

  /** Returns the options of sessions on one node; two calls may mean the same node. */
  static UnaryOperator<SessionOptions> cpus(double cpus) {
    return node(cpus).options();
  }

  /** Returns one node. */
  static Deployment node(double cpus) {
    return shape(SessionShape.ofCpus(cpus));
  }

  /** Returns nodes of that shape. */
  static Deployment shape(SessionShape shape) {
    return ClusterUnderTest.current().deploy(shape);
  }
}
