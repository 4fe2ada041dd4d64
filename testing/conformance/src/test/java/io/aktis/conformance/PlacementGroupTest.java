package io.aktis.conformance;

import static io.aktis.PlacementStrategy.PACK;
import static io.aktis.PlacementStrategy.SPREAD;
import static io.aktis.PlacementStrategy.STRICT_PACK;
import static io.aktis.PlacementStrategy.STRICT_SPREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorDiedException;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Bundle;
import io.aktis.InfeasibleException;
import io.aktis.ObjectRef;
import io.aktis.PlacementGroup;
import io.aktis.PlacementGroupRemovedException;
import io.aktis.PlacementStrategy;
import io.aktis.Scheduling;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.Notes;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Reservations of several bundles. */
@EngineTest(
    nodes = {@Node(cpus = 2), @Node(cpus = 2), @Node(cpus = 2)},
    options = ShortGrace.class)
class PlacementGroupTest {
  static final class Tenant {
    int answer() {
      return 42;
    }
  }

  @Test
  @Semantics("5.group.atomic")
  void create_enoughRoom_becomesReadyAndHoldsItsResources(AktisSession session) {
    try (PlacementGroup group = reserved(PACK, Bundle.of(1), Bundle.of(0.5))) {
      assertThat(session.cluster().available("CPU")).isEqualTo(4.5);
      assertThat(group.bundles()).containsExactly(Bundle.of(1), Bundle.of(0.5));
      assertThat(group.nodeIds()).hasSize(2);
      assertThat(group.strategy()).isEqualTo(PACK);
      assertThat(group.id()).isNotBlank();
    }
  }

  @Test
  @Semantics("5.group.atomic")
  void create_noRoomForAllBundles_reservesNoneUntilThereIs(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).cpus(2).remote();
    gate.awaitArrivals(1);

    try (PlacementGroup group =
        Aktis.placementGroup(STRICT_SPREAD, Bundle.of(2), Bundle.of(2), Bundle.of(2)).create()) {
      assertThat(Aktis.task(() -> 1).cpus(2).remote().get()).isEqualTo(1);
      assertThat(group.ready().isReady()).isFalse();
      assertThat(group.nodeIds()).isEmpty();
      assertThat(session.cluster().available("CPU")).isEqualTo(4);

      gate.open();
      busy.get();
      group.ready().get();

      assertThat(session.cluster().available("CPU")).isZero();
      assertThat(group.nodeIds()).doesNotHaveDuplicates().hasSize(3);
    }
  }

  @Test
  @Semantics("5.group.strategies")
  void pack_bundlesThatFitOnOneNode_areThere() {
    try (PlacementGroup group = reserved(PACK, Bundle.of(1), Bundle.of(1))) {
      assertThat(group.nodeIds()).hasSize(2).containsOnly(group.nodeIds().getFirst());
    }
  }

  @Test
  @Semantics("5.group.strategies")
  void pack_bundlesThatDoNotFitOnOneNode_useSeveral() {
    try (PlacementGroup group = reserved(PACK, Bundle.of(2), Bundle.of(2))) {
      assertThat(group.nodeIds()).doesNotHaveDuplicates();
    }
  }

  @Test
  @Semantics("5.group.strategies")
  void spread_asManyBundlesAsNodes_areOneEach() {
    try (PlacementGroup group = reserved(SPREAD, Bundle.of(1), Bundle.of(1), Bundle.of(1))) {
      assertThat(group.nodeIds()).hasSize(3).doesNotHaveDuplicates();
    }
  }

  @Test
  @Semantics("5.group.strategies")
  void spread_moreBundlesThanNodes_shareNodes() {
    try (PlacementGroup group =
        reserved(SPREAD, Bundle.of(1), Bundle.of(1), Bundle.of(1), Bundle.of(1))) {
      assertThat(group.nodeIds()).hasSize(4);
      assertThat(counts(group).values()).containsExactlyInAnyOrder(2, 1, 1);
    }
  }

  @Test
  @Semantics("5.group.strategies")
  void strictPack_bundlesThatFitOnOneNode_areThere() {
    try (PlacementGroup group = reserved(STRICT_PACK, Bundle.of(1.5), Bundle.of(0.5))) {
      assertThat(group.nodeIds()).hasSize(2).containsOnly(group.nodeIds().getFirst());
    }
  }

  @Test
  @Semantics({"5.group.strategies", "5.group.infeasible"})
  void strictPack_bundlesThatFitOnNoNode_isInfeasible() {
    assertInfeasible(STRICT_PACK, Bundle.of(1), Bundle.of(1), Bundle.of(1));
  }

  @Test
  @Semantics({"5.group.strategies", "5.group.infeasible"})
  void strictSpread_moreBundlesThanNodes_isInfeasible() {
    assertInfeasible(STRICT_SPREAD, Bundle.of(1), Bundle.of(1), Bundle.of(1), Bundle.of(1));
  }

  @Test
  @Semantics("5.group.infeasible")
  void create_bundleThatNoNodeCanHold_isInfeasible() {
    assertInfeasible(PACK, Bundle.of(3));
    assertInfeasible(SPREAD, Bundle.of(1).resource("unknown", 1));
  }

  private static void assertInfeasible(PlacementStrategy strategy, Bundle... bundles) {
    try (PlacementGroup group = Aktis.placementGroup(strategy, bundles).create()) {
      assertThatThrownBy(group.ready()::get).isInstanceOf(InfeasibleException.class);
      assertThatThrownBy(() -> Aktis.task(() -> 1).in(group, 0).remote().get())
          .isInstanceOf(InfeasibleException.class);
    }
  }

  @Test
  @Semantics("5.group.inside")
  void task_inABundle_runsOnItsNodeThoughTheNodesAreFull(AktisSession session) {
    try (PlacementGroup group = reserved(SPREAD, Bundle.of(2), Bundle.of(2), Bundle.of(2))) {
      assertThat(session.cluster().available("CPU")).isZero();
      for (int bundle = 0; bundle < 3; bundle++) {
        assertThat(Aktis.task(() -> Aktis.context().nodeId()).in(group, bundle).remote().get())
            .isEqualTo(group.nodeIds().get(bundle));
      }
      assertThat(Aktis.task(() -> 1).in(group).remote().get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("5.group.inside")
  void tasks_inABundle_shareItsResources() {
    Gate gate = Gate.closed();
    try (PlacementGroup group = reserved(PACK, Bundle.of(1))) {
      ObjectRef<Void> first = Aktis.run(Gate::pass, gate).in(group, 0).remote();
      ObjectRef<Void> second = Aktis.run(Gate::pass, gate).in(group, 0).remote();
      gate.awaitArrivals(1);
      assertThat(Aktis.task(() -> 1).remote().get()).isEqualTo(1);
      assertThat(gate.arrivals()).isEqualTo(1);

      gate.open();
      first.get();
      second.get();
    }
  }

  @Test
  @Semantics("5.group.inside")
  void task_thatTheBundleCanNeverHold_isInfeasible() {
    try (PlacementGroup group = reserved(PACK, Bundle.of(1))) {
      assertThatThrownBy(() -> Aktis.task(() -> 1).cpus(2).in(group, 0).remote().get())
          .isInstanceOf(InfeasibleException.class);
    }
  }

  @Test
  @Semantics("5.group.names")
  void named_group_isFoundByItsName() {
    try (PlacementGroup group = Aktis.placementGroup(PACK, Bundle.of(1)).named("room").create()) {
      group.ready().get();

      assertThat(Aktis.getPlacementGroup("room").id()).isEqualTo(group.id());
      assertThat(group.name()).isEqualTo("room");
      assertThatThrownBy(() -> Aktis.getPlacementGroup("cellar"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cellar");
      assertThatThrownBy(() -> Aktis.placementGroup(PACK, Bundle.of(1)).named("room").create())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("room");
    }
  }

  @Test
  @Semantics("5.group.names")
  void remove_namedGroup_freesTheName() {
    Aktis.placementGroup(PACK, Bundle.of(1)).named("room").create().remove();

    try (PlacementGroup next = Aktis.placementGroup(PACK, Bundle.of(1)).named("room").create()) {
      next.ready().get();
    }
  }

  @Test
  @Semantics("5.group.children")
  void children_captured_runInTheGroup() {
    try (PlacementGroup group = reserved(PACK, Bundle.of(2))) {
      assertThat(
              Aktis.task(PlacementGroupTest::groupOfAChild)
                  .scheduling(new Scheduling.InGroup(group, 0, true))
                  .remote()
                  .get())
          .isEqualTo(group.id());
      assertThat(Aktis.task(PlacementGroupTest::groupOfAChild).in(group, 0).remote().get())
          .isEqualTo("none");
    }
  }

  @Test
  @Semantics("5.group.children")
  void actor_madeInAGroupThatCaptures_isInTheGroup() {
    try (PlacementGroup group = reserved(PACK, Bundle.of(2))) {
      assertThat(
              Aktis.task(PlacementGroupTest::groupOfAnActor)
                  .scheduling(new Scheduling.InGroup(group, 0, true))
                  .remote()
                  .get())
          .isEqualTo(group.id());
    }
  }

  @Test
  @Semantics("5.group.removal")
  void remove_groupWithWork_endsItAndGivesTheResourcesBack(AktisSession session) {
    Gate gate = Gate.closed();
    PlacementGroup group = reserved(PACK, Bundle.of(2), Bundle.of(2));
    ObjectRef<Void> running = Aktis.run(Gate::pass, gate).cpus(2).in(group, 0).remote();
    gate.awaitArrivals(1);
    ObjectRef<Integer> queued = Aktis.task(() -> 1).in(group, 0).remote();
    ActorHandle<Tenant> tenant = Aktis.actor(Tenant::new).cpus(1).in(group, 1).remote();
    assertThat(tenant.call(Tenant::answer).get()).isEqualTo(42);

    group.remove();
    group.remove();

    Await.until("all CPUs to be free", () -> session.cluster().available("CPU") == 6);
    assertThatThrownBy(running::get)
        .isInstanceOfSatisfying(
            PlacementGroupRemovedException.class,
            failure -> assertThat(failure.story()).isNotEmpty());
    assertThatThrownBy(queued::get).isInstanceOf(PlacementGroupRemovedException.class);
    assertThatThrownBy(tenant.call(Tenant::answer)::get).isInstanceOf(ActorDiedException.class);
    assertThatThrownBy(() -> Aktis.task(() -> 1).in(group, 0).remote().get())
        .isInstanceOf(PlacementGroupRemovedException.class);
  }

  @Test
  @Semantics("5.group.inflight")
  void remove_groupThatIsNotReady_neverBecomesReady(AktisSession session) {
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).cpus(2).remote();
    gate.awaitArrivals(1);
    PlacementGroup group =
        Aktis.placementGroup(STRICT_SPREAD, Bundle.of(2), Bundle.of(2), Bundle.of(2)).create();
    ObjectRef<Integer> inside = Aktis.task(() -> 1).in(group, 0).remote();

    group.remove();

    assertThatThrownBy(group.ready()::get).isInstanceOf(PlacementGroupRemovedException.class);
    assertThatThrownBy(inside::get).isInstanceOf(PlacementGroupRemovedException.class);
    gate.open();
    busy.get();
    assertThat(Aktis.task(() -> 1).cpus(2).remote().get()).isEqualTo(1);
  }

  @Test
  @Semantics("5.group.inflight")
  void remove_rightAfterCreate_alwaysGivesEverythingBack(AktisSession session) {
    for (int i = 0; i < 200; i++) {
      PlacementGroup group =
          Aktis.placementGroup(SPREAD, Bundle.of(2), Bundle.of(2), Bundle.of(2)).create();
      if (i % 2 == 0) {
        group.ready().get();
      }
      group.remove();
    }

    assertThat(session.cluster().available("CPU")).isEqualTo(6);
  }

  @Test
  @Semantics("5.group.lost")
  void nodeOfABundle_lost_theBundleIsPlacedAgain(NodeFaults faults) {
    try (PlacementGroup group = reserved(PACK, Bundle.of(1), Bundle.of(1))) {
      String lost = group.nodeIds().getFirst();

      faults.kill(lost);

      String now = Aktis.task(() -> Aktis.context().nodeId()).in(group, 0).remote().get();
      assertThat(now).isNotEqualTo(lost);
      assertThat(group.nodeIds()).doesNotContain(lost);
    }
  }

  @Test
  @Semantics("5.group.lost")
  void nodeOfABundle_lost_itsRunningTaskIsRunAgainInTheGroup(NodeFaults faults) {
    Notes nodes = Notes.empty();
    Gate first = Gate.closed();
    try (PlacementGroup group = reserved(PACK, Bundle.of(1))) {
      ObjectRef<Integer> task =
          Aktis.task(RetryTest::heldAtFirst, nodes, first).in(group, 0).remote();
      first.awaitArrivals(1);

      faults.kill(group.nodeIds().getFirst());

      assertThat(task.get()).isEqualTo(2);
      assertThat(nodes.lines().getLast()).isEqualTo(group.nodeIds().getFirst());
    }
  }

  @Test
  @Semantics({"5.group.lost", "5.group.infeasible"})
  void nodeOfABundle_lostAndNoOtherCanHoldIt_workInItFails(NodeFaults faults) {
    try (PlacementGroup group = reserved(STRICT_SPREAD, Bundle.of(2), Bundle.of(2), Bundle.of(2))) {
      faults.kill(group.nodeIds().getLast());

      assertThatThrownBy(() -> Aktis.task(() -> 1).in(group, 2).remote().get())
          .isInstanceOf(InfeasibleException.class);
    }
  }

  @Test
  @Semantics("5.group.checked")
  void create_badBundles_isAnError() {
    assertThatThrownBy(() -> Aktis.placementGroup(PACK))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Aktis.placementGroup(PACK, Bundle.of(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");
    assertThatThrownBy(() -> Aktis.placementGroup(PACK, Bundle.of(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> Bundle.of(1).gpus(1.5)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Bundle.of(1).memoryBytes(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Semantics("5.group.checked")
  void in_bundleThatDoesNotExist_isAnError() {
    try (PlacementGroup group = Aktis.placementGroup(PACK, Bundle.of(1)).create()) {
      assertThatThrownBy(() -> Aktis.task(() -> 1).in(group, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("0 to 0");
    }
  }

  private static PlacementGroup reserved(PlacementStrategy strategy, Bundle... bundles) {
    PlacementGroup group = Aktis.placementGroup(strategy, bundles).create();
    group.ready().get();
    return group;
  }

  private static Map<String, Integer> counts(PlacementGroup group) {
    Map<String, Integer> counts = new TreeMap<>();
    group.nodeIds().forEach(node -> counts.merge(node, 1, Integer::sum));
    return counts;
  }

  static String groupOfAChild() {
    return Aktis.task(PlacementGroupTest::ownGroup).remote().get();
  }

  static String groupOfAnActor() {
    try (ActorHandle<Tenant> tenant = Aktis.actor(Tenant::new).remote()) {
      return tenant.call(_ -> ownGroup()).get();
    }
  }

  static String ownGroup() {
    Optional<PlacementGroup> group = Aktis.context().placementGroup();
    return group.map(PlacementGroup::id).orElse("none");
  }
}
