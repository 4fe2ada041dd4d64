package io.aktis.testkit;

import io.aktis.AktisSession;
import java.util.ServiceLoader;

/**
 * The way in which the engine is deployed for tests. The same tests run on each: the system
 * property {@value #MODE} chooses.
 *
 * <ul>
 *   <li>{@code embedded} [default]: in the JVM of the test, on virtual nodes;
 *   <li>{@code processes}: a daemon for each node, and workers, as processes of this machine. They
 *       are kept for the next test that wants the same nodes, and end with this JVM;
 *   <li>{@code nodes}: the same on three hosts that this machine imitates, each a network namespace
 *       with an address of its own; the program is on none of them. Needs Linux and root. With the
 *       system property {@code aktis.test.tls} set to {@code true} all connections use mutual TLS,
 *       and so they do with {@code processes};
 *   <li>others are found by {@link ServiceLoader}.
 * </ul>
 */
public interface ClusterUnderTest {
  /** The system property that names the mode. */
  String MODE = "aktis.test.mode";

  /** Returns the deployment that the system property names. */
  static ClusterUnderTest current() {
    String mode = System.getProperty(MODE, "embedded");
    for (ClusterUnderTest cluster : ServiceLoader.load(ClusterUnderTest.class)) {
      if (cluster.mode().equals(mode)) {
        return cluster;
      }
    }
    return switch (mode) {
      case "embedded" -> new EmbeddedUnderTest();
      case "processes" -> ProcessesUnderTest.onThisMachine();
      case "nodes" -> ProcessesUnderTest.onHosts();
      default ->
          throw new IllegalArgumentException(
              "Nothing deploys the engine in the mode '" + mode + "' that " + MODE + " names");
    };
  }

  /** Returns the name of this deployment. */
  String mode();

  /**
   * Opens what is kept until this JVM ends, so that nobody takes it for a leak of a test. Called
   * before each test; does nothing after the first call.
   */
  void prepare();

  /**
   * Sees to it that there are nodes of that shape, which no other test uses. A test that asks twice
   * for the same shape may get the same nodes twice.
   */
  Deployment deploy(SessionShape shape);

  /** Returns a look into the engine of a session; it goes on working after the session's end. */
  EngineInspection inspect(AktisSession session);

  /** Returns a door to break nodes of a session. */
  NodeFaults faults(AktisSession session);

  /**
   * Takes the nodes back when a test is over and has closed its sessions.
   *
   * @throws AssertionError when something is left on the nodes
   */
  void release();
}
