package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.Bundle;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.acceptance.Work.Counter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What people are told who ask why something is not done. */
final class WhyTest {
  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(2, 1);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static String why(String id) {
    return cluster.machine().mustAktis("why", id, "--address", "auto");
  }

  private static Program.Result ask(String id) {
    return cluster.machine().aktis("why", id, "--address", "auto");
  }

  @Test
  void task_thatWaits_isExplainedDownToItsCause() {
    Notes notes = Notes.in(cluster.machine(), "why");
    try (AktisSession session = cluster.open()) {
      String never = cluster.machine().file("never").toString();
      ObjectRef<Long> running =
          session.task(Work::waitFor, notes.path(), never).named("mill").remote();
      ObjectRef<Long> after = session.task((Long pid) -> pid + 1, running).named("baker").remote();
      ObjectRef<Integer> large = session.task(() -> 1).cpus(8).named("giant").remote();
      String node = notes.await(1).node();

      assertThat(why(running.id())).contains("mill runs", "it is on " + node, "of the program");
      assertThat(why(after.id()))
          .contains("baker waits for 1 of its arguments", "  ", "mill runs", "it is on " + node);
      assertThat(why(large.id()))
          .contains("giant waits for {cpu: 8}")
          .contains(cluster.nodes().stream().map(RealCluster.Node::id).toList());
      String task = after.id().replace("object-", "task-").replaceAll("[.].*", "");
      assertThat(why(task)).isEqualTo(why(after.id()));
      running.cancel();
    }
  }

  @Test
  void actorAndGroup_areExplained() {
    try (AktisSession session = cluster.open()) {
      ActorHandle<Counter> counter = session.actor(Counter::new).named("hits").remote();
      ActorHandle<Counter> large = session.actor(Counter::new).cpus(8).remote();
      PlacementGroup group =
          session
              .placementGroup(PlacementStrategy.STRICT_PACK, Bundle.of(1), Bundle.of(1))
              .create();
      counter.call(Counter::add, 1).get();

      assertThat(why(counter.id())).contains("hits", "is ALIVE", "it is on node-");
      assertThat(why(large.id())).contains("waits for {cpu: 8}");
      assertThat(why(group.id())).contains("PENDING");
    }
  }

  @Test
  void whatIsDoneOrWasNever_isNamed() {
    String ended;
    try (AktisSession session = cluster.open()) {
      ObjectRef<Integer> done = session.task(() -> 1).remote();
      done.get();
      ended = done.id();
      assertThat(ask(ended).exitCode()).isEqualTo(1);
      assertThat(ask(ended).err()).contains("nothing unfinished", ended);
    }
    assertThat(ask(ended).exitCode()).isEqualTo(1);
    assertThat(ask(ended).err()).contains("does not run on this cluster");
    assertThat(ask("task-7").exitCode()).isEqualTo(2);
    assertThat(ask("task-7").err()).contains("task-7", "task-0a1b2c3d-5");
  }
}
