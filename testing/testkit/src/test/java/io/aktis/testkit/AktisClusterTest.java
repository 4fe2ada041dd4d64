package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.cluster.session.SessionDirectory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs small tests with the annotation and looks at what it made of them, and at what is left. */
class AktisClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Not found by the build: a nested class that is not an inner one. */
  @AktisCluster(nodes = 2, cpus = 1)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class Samples {
    private static String address;
    private static AktisSession first;

    @BeforeAll
    static void note(TestCluster cluster) {
      address = cluster.address();
    }

    @Test
    @Order(1)
    void hasASessionOnRealNodes(AktisSession session, TestCluster cluster) {
      first = session;
      assertThat(Aktis.session()).isSameAs(session);
      assertThat(session.cluster().nodes())
          .extracting(NodeInfo::id)
          .containsExactlyInAnyOrderElementsOf(cluster.nodeIds());
      for (String node : cluster.nodeIds()) {
        ObjectRef<String> where =
            session
                .task(() -> Aktis.context().nodeId() + " " + ProcessHandle.current().pid())
                .onNode(node)
                .remote();
        assertThat(where.get(PATIENCE))
            .startsWith(node + " ")
            .doesNotEndWith(" " + ProcessHandle.current().pid());
      }
    }

    @Test
    @Order(2)
    void hasAnotherSessionOnTheSameNodes(AktisSession session, TestCluster cluster) {
      assertThat(session).isNotSameAs(first);
      assertThat(first.isClosed()).isTrue();
      assertThat(cluster.address()).isEqualTo(address);
    }

    @Test
    @Order(3)
    void losesANodeAndGetsAnother(AktisSession session, TestCluster cluster) {
      String victim = cluster.nodeIds().getLast();
      ObjectRef<byte[]> value = session.task(() -> new byte[1 << 20]).preferNode(victim).remote();
      session.wait(List.of(value));
      cluster.kill(victim);

      assertThat(value.get(PATIENCE)).hasSize(1 << 20);
      assertThat(cluster.nodeIds()).hasSize(1).doesNotContain(victim);
      String added = cluster.addNode();
      assertThat(session.task(() -> Aktis.context().nodeId()).onNode(added).remote().get(PATIENCE))
          .isEqualTo(added);
      assertThatThrownBy(() -> cluster.kill(victim))
          .hasMessageContaining("there is no node '" + victim + "'");
    }

    @Test
    @Order(4)
    void hasANewClusterAfterThat(AktisSession session, TestCluster cluster) {
      assertThat(cluster.address()).isNotEqualTo(address);
      assertThat(session.cluster().nodes()).hasSize(2).allMatch(NodeInfo::alive);
      address = cluster.address();
    }

    /** Shares the cluster of the class around it. */
    @Nested
    class Inner {
      @Test
      void hasTheClusterOfItsOuterClass(TestCluster cluster) {
        assertThat(cluster.address()).isEqualTo(address);
      }
    }
  }

  @AktisCluster(nodes = 0)
  static class WithoutNodes {
    @Test
    void doesNotRun() {}
  }

  @AktisCluster(nodes = 1)
  static class AskingTooEarly {
    @BeforeAll
    static void ask(AktisSession session) {
      assertThat(session).isNull();
    }

    @Test
    void doesNotRun() {}
  }

  @Test
  void class_withTheAnnotation_hasAClusterOfItsOwnThatLeavesNothing() {
    TestExecutionSummary summary = run(Samples.class);

    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isEqualTo(5);
    assertNothingLeft();
  }

  @Test
  void class_thatAsksForNoNodes_fails() {
    assertThat(run(WithoutNodes.class).getFailures())
        .singleElement()
        .extracting(failure -> failure.getException().getMessage())
        .asString()
        .contains("a cluster has at least one node; @AktisCluster asks for 0");
  }

  @Test
  void sessionAsParameter_beforeAllTests_isRefusedAndTheClusterEnds() {
    assertThat(run(AskingTooEarly.class).getFailures())
        .singleElement()
        .extracting(failure -> failure.getException().getMessage())
        .asString()
        .contains("each test has a session of its own");
    assertNothingLeft();
  }

  private static void assertNothingLeft() {
    assertThat(SessionDirectory.open().liveNodes()).isEmpty();
    assertThat(SessionDirectory.open().base().resolve("sessions")).isEmptyDirectory();
    assertThat(Aktis.isInitialized()).isFalse();
  }

  private static TestExecutionSummary run(Class<?> samples) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(samples)).build(),
            listener);
    return listener.getSummary();
  }
}
