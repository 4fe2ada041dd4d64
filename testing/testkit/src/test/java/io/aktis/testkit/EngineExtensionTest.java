package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.SessionOptions;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs small tests with the extension and looks at what it made of them. */
class EngineExtensionTest {
  private static final CountDownLatch END = new CountDownLatch(1);

  /** Not found by the build: a nested class that is not an inner one. */
  @EngineTest(cpus = 3)
  static class Samples {
    private static ActorHandle<Object> kept;

    @Test
    void usesItsSession(AktisSession session, EngineInspection inspection) {
      assertThat(Aktis.session()).isSameAs(session);
      assertThat(session.cluster().total("CPU")).isEqualTo(3);
      assertThat(session.task(() -> 42).remote().get()).isEqualTo(42);
      assertThat(inspection.problems()).isEmpty();
    }

    @Test
    @EngineTest(
        nodes = {
          @Node(cpus = 1, labels = "zone=a"),
          @Node(cpus = 2, gpus = 1, memoryBytes = 10, objectStoreBytes = 8 << 20, resources = "r=2")
        },
        options = Blue.class)
    void hasTheNodesOfItsMethod(AktisSession session) {
      var nodes = session.cluster().nodes();
      assertThat(session.namespace()).isEqualTo("blue");
      assertThat(nodes.get(0).labels()).containsEntry("zone", "a");
      assertThat(nodes.get(1).total())
          .containsEntry("CPU", 2.0)
          .containsEntry("GPU", 1.0)
          .containsEntry("memory", 10.0)
          .containsEntry("r", 2.0);
      assertThat(nodes.get(1).storeCapacityBytes()).isEqualTo(8 << 20);
    }

    @Test
    void leavesATaskAtAGate() {
      Gate gate = Gate.closed();
      ObjectRef<Void> held = Aktis.run(Gate::pass, gate).remote();
      gate.awaitArrivals(1);
      assertThat(held.isReady()).isFalse();
    }

    @Test
    void keepsACpu() {
      kept = Aktis.actor(Object::new).cpus(1).remote();
      kept.ready().get();
    }

    @Test
    @EngineTest(open = false)
    void leavesAThread() {
      Thread.ofPlatform().daemon().name("aktis-left").start(EngineExtensionTest::awaitEnd);
    }

    @Test
    @EngineTest(open = false)
    void takesASessionThatThereIsNot(AktisSession session) {
      assertThat(session).isNull();
    }

    @Test
    @EngineTest(open = false)
    void forgetsToCloseItsOwnSession() {
      Aktis.init(options -> options.cpus(1));
    }
  }

  static final class Blue implements UnaryOperator<SessionOptions> {
    @Override
    public SessionOptions apply(SessionOptions options) {
      return options.namespace("blue");
    }
  }

  @Test
  void test_withASession_hasItAsParameterAndDefault() {
    assertPasses("usesItsSession", AktisSession.class, EngineInspection.class);
  }

  @Test
  void test_withAnAnnotationOfItsOwn_hasThatShape() {
    assertPasses("hasTheNodesOfItsMethod", AktisSession.class);
  }

  @Test
  void test_thatLeavesATaskAtAGate_passesBecauseTheGateIsOpened() {
    assertPasses("leavesATaskAtAGate");
  }

  @Test
  void test_thatKeepsResources_fails() {
    assertFails("keepsACpu", "all resources to be back");
  }

  @Test
  void test_thatLeavesAThread_fails() {
    assertFails("leavesAThread", "aktis-left");
    END.countDown();
  }

  @Test
  void test_withoutASession_hasNoParameter() {
    assertFails("takesASessionThatThereIsNot", "no session", AktisSession.class);
  }

  @Test
  void test_thatForgetsToClose_leavesNoSessionToTheNext() {
    assertPasses("forgetsToCloseItsOwnSession");
    assertThat(Aktis.isInitialized()).isFalse();
  }

  private static void assertPasses(String method, Class<?>... parameters) {
    assertThat(run(method, parameters).getFailures()).isEmpty();
  }

  private static void assertFails(String method, String message, Class<?>... parameters) {
    assertThat(run(method, parameters).getFailures())
        .hasSize(1)
        .first()
        .extracting(failure -> failure.getException().getMessage())
        .asString()
        .contains(message);
  }

  private static TestExecutionSummary run(String method, Class<?>... parameters) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectMethod(Samples.class, method, parameters))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    assertThat(listener.getSummary().getTestsFoundCount()).isEqualTo(1);
    return listener.getSummary();
  }

  private static void awaitEnd() {
    try {
      END.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
