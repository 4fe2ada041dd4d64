package io.aktis.conformance;

import static io.aktis.PlacementStrategy.PACK;
import static io.aktis.PlacementStrategy.STRICT_SPREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Bundle;
import io.aktis.InfeasibleException;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.PlacementGroupRemovedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.NodeShape;
import io.aktis.testkit.SessionShape;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two jobs of one cluster, and what each can do with the named placement groups of the other. */
@EngineTest(
    nodes = {@Node(cpus = 2), @Node(cpus = 2), @Node(cpus = 2)},
    options = ShortGrace.class)
class GroupsOfOtherJobsTest {
  private static final String ALONE = "an engine in one process has one job";
  private static final Bundle ONE = Bundle.of(1);
  private static final Bundle TWO = Bundle.of(2);

  private AktisSession other;

  @BeforeEach
  void openAnotherJob() {
    List<NodeShape> nodes = Collections.nCopies(3, NodeShape.ofCpus(2));
    other = Aktis.open(Deploy.shape(new SessionShape(nodes, new ShortGrace())).options());
  }

  @AfterEach
  void closeIt() {
    other.close();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("5.group.jobs")
  void work_ofAnotherJob_runsInTheGroup(AktisSession session) {
    try (PlacementGroup theirs =
        other.placementGroup(STRICT_SPREAD, TWO, TWO, TWO).named("room").create()) {
      PlacementGroup found = Aktis.getPlacementGroup("room");
      found.ready().get();

      assertThat(found.id()).isEqualTo(theirs.id());
      assertThat(found.bundles()).containsExactly(TWO, TWO, TWO);
      assertThat(found.strategy()).isEqualTo(STRICT_SPREAD);
      assertThat(found.nodeIds()).isEqualTo(theirs.nodeIds()).hasSize(3);
      assertThat(session.cluster().available("CPU")).as("all is reserved").isZero();
      for (int bundle = 0; bundle < 3; bundle++) {
        String ran =
            Aktis.task(() -> Aktis.context().nodeId()).in(found, bundle).cpus(2).remote().get();
        assertThat(ran).isEqualTo(theirs.nodeIds().get(bundle));
      }
      assertThat(Aktis.task(PlacementGroupTest::ownGroup).in(found, 0).remote().get())
          .as("the group as the work sees it")
          .isEqualTo(theirs.id());
      assertThat(Aktis.getPlacementGroup("room")).isSameAs(found);
    }
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("5.group.jobs")
  void group_foundInsideOfATask_isTheSame() {
    try (PlacementGroup theirs = other.placementGroup(PACK, ONE).named("room").create()) {
      assertThat(Aktis.task(GroupsOfOtherJobsTest::runInTheRoom).remote().get())
          .isEqualTo(theirs.id() + " on " + theirs.nodeIds());
    }
  }

  static String runInTheRoom() {
    PlacementGroup room = Aktis.getPlacementGroup("room");
    room.ready().get();
    return Aktis.task(PlacementGroupTest::ownGroup).in(room, 0).remote().get()
        + " on "
        + room.nodeIds();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics({"5.group.jobs", "5.group.names"})
  void name_ofAGroupOfAnotherJob_isTakenUntilItIsRemoved() {
    PlacementGroup theirs = other.placementGroup(PACK, ONE).named("room").create();
    assertThatThrownBy(() -> Aktis.placementGroup(PACK, ONE).named("room").create())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is a placement group named 'room' already");
    assertThatThrownBy(() -> Aktis.getPlacementGroup("cellar"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no placement group named 'cellar' in namespace 'default'");

    theirs.remove();

    Await.until("the name to be free", GroupsOfOtherJobsTest::takesTheName);
  }

  private static boolean takesTheName() {
    try (PlacementGroup _ = Aktis.placementGroup(PACK, ONE).named("room").create()) {
      return true;
    } catch (IllegalArgumentException taken) {
      return false;
    }
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics({"5.group.jobs", "5.group.removal"})
  void remove_byAnotherJob_endsTheWorkOfAll(AktisSession session) {
    Gate gate = Gate.closed();
    PlacementGroup theirs = other.placementGroup(PACK, TWO, TWO).named("room").create();
    PlacementGroup found = Aktis.getPlacementGroup("room");
    ObjectRef<Void> own = Aktis.run(Gate::pass, gate).cpus(2).in(found, 0).remote();
    ObjectRef<Void> queued = Aktis.run(Gate::pass, gate).cpus(2).in(found, 0).remote();
    ObjectRef<Void> its = other.run(Gate::pass, gate).cpus(2).in(theirs, 1).remote();
    gate.awaitArrivals(2);

    found.remove();

    for (ObjectRef<Void> work : List.of(own, queued, its)) {
      assertThatThrownBy(work::get).isInstanceOf(PlacementGroupRemovedException.class);
    }
    assertThatThrownBy(() -> Aktis.task(() -> 1).in(found, 0).remote().get())
        .isInstanceOf(PlacementGroupRemovedException.class);
    Await.until("all CPUs to be free", () -> session.cluster().available("CPU") == 6);
    found.remove();
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics("5.group.jobs")
  void group_whoseJobEnds_isGoneForOthers(AktisSession session) {
    Gate gate = Gate.closed();
    other.placementGroup(PACK, TWO).named("room").create();
    PlacementGroup found = Aktis.getPlacementGroup("room");
    ObjectRef<Void> running = Aktis.run(Gate::pass, gate).cpus(2).in(found, 0).remote();
    ObjectRef<Void> queued = Aktis.run(Gate::pass, gate).cpus(2).in(found, 0).remote();
    gate.awaitArrivals(1);

    other.close();

    assertThatThrownBy(running::get).isInstanceOf(PlacementGroupRemovedException.class);
    assertThatThrownBy(queued::get).isInstanceOf(PlacementGroupRemovedException.class);
    Await.until("all CPUs to be free", () -> session.cluster().available("CPU") == 6);
    Await.until("the name to be free", GroupsOfOtherJobsTest::takesTheName);
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics({"5.group.jobs", "5.group.infeasible"})
  void group_thatCanNeverBe_failsForOthersToo() {
    try (PlacementGroup _ = other.placementGroup(PACK, Bundle.of(64)).named("room").create()) {
      PlacementGroup found = Aktis.getPlacementGroup("room");
      ObjectRef<Integer> queued = Aktis.task(() -> 1).in(found, 0).remote();

      assertThatThrownBy(found.ready()::get).isInstanceOf(InfeasibleException.class);
      assertThatThrownBy(queued::get).isInstanceOf(InfeasibleException.class);
    }
  }

  @Test
  @SeveralProcesses(ALONE)
  @Semantics({"5.group.jobs", "5.group.lost"})
  void nodeOfABundle_lost_theWorkOfOthersFollowsTheBundle(NodeFaults faults) {
    try (PlacementGroup theirs = other.placementGroup(PACK, ONE).named("room").create()) {
      PlacementGroup found = Aktis.getPlacementGroup("room");
      found.ready().get();
      String lost = theirs.nodeIds().getFirst();

      faults.kill(lost);

      String now = Aktis.task(() -> Aktis.context().nodeId()).in(found, 0).remote().get();
      assertThat(now).isNotEqualTo(lost).isEqualTo(theirs.nodeIds().getFirst());
    }
  }

  @Test
  @SeveralProcesses("the engine ends with its only job")
  @Semantics("5.group.detached")
  void detached_whoseJobIsClosed_livesOnUntilItIsRemoved(AktisSession session) {
    PlacementGroup theirs = other.placementGroup(PACK, TWO).named("room").detached().create();
    theirs.ready().get();
    assertThat(other.task(PlacementGroupTest::ownGroup).in(theirs, 0).remote().get())
        .isEqualTo(theirs.id());
    other.close();

    PlacementGroup kept = Aktis.getPlacementGroup("room");
    assertThat(kept.id()).isEqualTo(theirs.id());
    assertThat(session.cluster().available("CPU")).isEqualTo(4);
    assertThat(Aktis.task(PlacementGroupTest::ownGroup).in(kept, 0).remote().get())
        .isEqualTo(theirs.id());
    assertThatThrownBy(() -> Aktis.placementGroup(PACK, ONE).named("room").detached().create())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'room'");
    kept.remove();

    assertThatThrownBy(() -> Aktis.getPlacementGroup("room"))
        .isInstanceOf(IllegalArgumentException.class);
    Await.until("all CPUs to be free", () -> session.cluster().available("CPU") == 6);
  }

  @Test
  @Semantics("5.group.checked")
  void detached_withoutAName_isRefused() {
    assertThatThrownBy(() -> Aktis.placementGroup(PACK, ONE).detached().create())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("needs a name");
  }
}
