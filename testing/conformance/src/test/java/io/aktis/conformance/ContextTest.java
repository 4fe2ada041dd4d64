package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisContext;
import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Node;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What running code knows about itself. */
@EngineTest(nodes = @Node(cpus = 2, gpus = 1, labels = "zone=a", resources = "licence=2"))
class ContextTest {
  /** What a context says, as a value. */
  record Seen(
      String jobId,
      String taskId,
      String taskName,
      String actorId,
      String actorName,
      String nodeId,
      String workerId,
      int attempt,
      String namespace,
      Map<String, Double> resources,
      List<String> gpuIds,
      Map<String, String> labels,
      boolean inGroup,
      boolean wasRestarted,
      boolean isCancelled) {
    static Seen now() {
      AktisContext context = Aktis.context();
      return new Seen(
          context.jobId(),
          context.taskId(),
          context.taskName(),
          context.actorId().orElse(""),
          context.actorName().orElse(""),
          context.nodeId(),
          context.workerId(),
          context.attempt(),
          context.namespace(),
          context.resources(),
          context.gpuIds(),
          context.labels(),
          context.placementGroup().isPresent(),
          context.wasRestarted(),
          context.isCancelled());
    }
  }

  static final class Speaker {
    private final Seen inConstructor = Seen.now();

    Seen seen() {
      return Seen.now();
    }

    Seen inConstructor() {
      return inConstructor;
    }
  }

  @Test
  @Semantics("7.context.task")
  void context_ofATask_saysAllAboutIt(AktisSession session) {
    NodeInfo node = session.cluster().nodes().getFirst();

    Seen seen =
        Aktis.task(Seen::now)
            .named("watcher")
            .cpus(0.5)
            .gpus(1)
            .resource("licence", 2)
            .remote()
            .get();

    assertThat(seen.taskName()).isEqualTo("watcher");
    assertThat(seen.attempt()).isEqualTo(1);
    assertThat(seen.nodeId()).isEqualTo(node.id());
    assertThat(seen.namespace()).isEqualTo("default");
    assertThat(seen.resources())
        .containsEntry("CPU", 0.5)
        .containsEntry("GPU", 1.0)
        .containsEntry("licence", 2.0);
    assertThat(seen.gpuIds()).containsExactly("0");
    assertThat(seen.labels()).containsEntry("zone", "a");
    assertThat(List.of(seen.jobId(), seen.taskId(), seen.workerId())).doesNotContain("");
    assertThat(seen.actorId()).isEmpty();
    assertThat(seen.inGroup()).isFalse();
    assertThat(seen.wasRestarted()).isFalse();
    assertThat(seen.isCancelled()).isFalse();
  }

  @Test
  @Semantics("7.context.task")
  void context_ofTwoTasks_differInTheTaskOnly() {
    Seen one = Aktis.task(Seen::now).remote().get();
    Seen two = Aktis.task(Seen::now).remote().get();

    assertThat(one.taskId()).isNotEqualTo(two.taskId());
    assertThat(one.jobId()).isEqualTo(two.jobId());
  }

  @Test
  @Semantics({"7.context.task", "1.init.front"})
  void context_ofATask_hasItsSession(AktisSession session) {
    assertThat(Aktis.task(() -> Aktis.session().id()).remote().get()).isEqualTo(session.id());
    assertThat(Aktis.task(() -> Aktis.context().session().id()).remote().get())
        .isEqualTo(session.id());
    assertThat(Aktis.task(Aktis::isInitialized).remote().get()).isTrue();
  }

  @Test
  @Semantics("7.context.actor")
  void context_ofAnActor_saysWhoItIs() {
    try (ActorHandle<Speaker> speaker = Aktis.actor(Speaker::new).named("speaker").remote()) {
      Seen seen = speaker.call(Speaker::seen).get();
      Seen inConstructor = speaker.call(Speaker::inConstructor).get();

      assertThat(seen.actorId()).isEqualTo(speaker.id());
      assertThat(seen.actorName()).isEqualTo("speaker");
      assertThat(seen.wasRestarted()).isFalse();
      assertThat(inConstructor.actorId()).isEqualTo(speaker.id());
      assertThat(inConstructor.taskId()).isNotEqualTo(seen.taskId());
    }
  }

  @Test
  @Semantics("7.context.outside")
  void context_outsideOfATask_isAnError() {
    assertThat(AktisContext.current()).isEmpty();
    assertThatThrownBy(Aktis::context)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("outside a task");
  }

  @Test
  @Semantics("7.context.outside")
  void context_onAThreadThatATaskStarts_isMissing() {
    ObjectRef<Boolean> there =
        Aktis.task(
                () -> CompletableFuture.supplyAsync(() -> AktisContext.current().isPresent()).get())
            .remote();

    assertThat(there.get()).isFalse();
  }

  @Test
  @Semantics("7.context.task")
  void checkpoint_inATask_isAnError() {
    assertThatThrownBy(Aktis.run(() -> Aktis.context().saveCheckpoint(1)).remote()::get)
        .hasCauseInstanceOf(IllegalStateException.class);
  }
}
