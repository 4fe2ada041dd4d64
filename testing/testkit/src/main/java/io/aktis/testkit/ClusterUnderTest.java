package io.aktis.testkit;

import io.aktis.AktisSession;
import io.aktis.SessionOptions;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/**
 * The way in which the engine is deployed for tests. The same tests run on each: the system
 * property {@code aktis.test.mode} chooses [{@code embedded}]; others are found by {@link
 * ServiceLoader}.
 */
public interface ClusterUnderTest {
  /** Returns the deployment that the system property names. */
  static ClusterUnderTest current() {
    String mode = System.getProperty("aktis.test.mode", "embedded");
    for (ClusterUnderTest cluster : ServiceLoader.load(ClusterUnderTest.class)) {
      if (cluster.mode().equals(mode)) {
        return cluster;
      }
    }
    if (mode.equals("embedded")) {
      return new EmbeddedUnderTest();
    }
    throw new IllegalArgumentException("Nothing deploys the engine in the mode '" + mode + "'");
  }

  /** Returns the name of this deployment. */
  String mode();

  /** Starts nodes of that shape and a session on them, as the default session of this process. */
  AktisSession open(UnaryOperator<SessionOptions> shape);

  /** Returns a look into the engine of a session; it goes on working after the session's end. */
  EngineInspection inspect(AktisSession session);

  /** Returns a door to break nodes of a session. */
  NodeFaults faults(AktisSession session);
}
