package io.aktis.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.resource.LabelSelector.Term;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final long MIB = 1 << 20;
  private static final GroupId GROUP = new GroupId(1, 1);

  private final Planner planner = new Planner();

  private static NodeId id(long number) {
    return new NodeId(1, number);
  }

  private static NodeView node(long number, double cpus) {
    return NodeView.free(id(number), Resources.cpus(cpus));
  }

  private static NodeView node(long number, double cpus, double free) {
    NodeNumbers numbers =
        new NodeNumbers(Resources.cpus(cpus), Resources.cpus(free), GpuRoom.NONE, 0);
    return node(number, cpus).withNumbers(numbers);
  }

  private static NodeView node(long number, String zone) {
    return node(number, 4).withLabels(new TreeMap<>(Map.of("zone", zone)));
  }

  private static PlacementQuery cpus(double cpus) {
    return PlacementQuery.of(Demand.of(Resources.cpus(cpus)), 1);
  }

  private NodeId place(PlacementQuery query, ClusterView view) {
    return ((Decision.Place) planner.plan(query, view)).node();
  }

  @Test
  void plan_oneNode_placesWaitsOrIsInfeasible() {
    ClusterView view = ClusterView.of(node(1, 4, 2));

    assertThat(place(cpus(2), view)).isEqualTo(id(1));
    Decision.Wait wait = (Decision.Wait) planner.plan(cpus(3), view);
    assertThat(wait.reason()).isEqualTo("{cpu: 3}: of 1 node 1 busy");
    assertThat(wait.askAt()).containsExactly(id(1));
    Decision.Infeasible never = (Decision.Infeasible) planner.plan(cpus(5), view);
    assertThat(never.reason()).isEqualTo("{cpu: 5}: of 1 node 1 too small");
    assertThat(never.rejectedBy())
        .containsExactly(new Rejection(id(1), Rejection.Why.TOO_SMALL, Resources.cpus(1)));
    assertThat(never.rejectedBy().getFirst().toString()).endsWith(" is too small, lacks {cpu: 1}");
  }

  @Test
  void plan_noNodes_isInfeasible() {
    assertThat(planner.plan(cpus(1), ClusterView.EMPTY))
        .isEqualTo(new Decision.Infeasible("{cpu: 1}: no node is known", List.of()));
  }

  @Test
  void plan_deadNode_isNeverChosen() {
    ClusterView view = ClusterView.of(node(1, 4).withAlive(false), node(2, 2, 0));

    Decision.Wait wait = (Decision.Wait) planner.plan(cpus(1), view);

    assertThat(wait.reason()).isEqualTo("{cpu: 1}: of 2 nodes 1 busy, 1 not alive");
    assertThat(wait.askAt()).containsExactly(id(2));
  }

  @Test
  void plan_allBusy_asksWhereFewestWait() {
    ClusterView view =
        ClusterView.of(
            node(1, 4, 0).withWaiting(5),
            node(2, 4, 0).withWaiting(1),
            node(3, 4, 0).withWaiting(2),
            node(4, 1, 0));

    assertThat(((Decision.Wait) planner.plan(cpus(2), view)).askAt()).containsExactly(id(2), id(3));
  }

  @Test
  void plan_default_packsToHalfThenSpreads() {
    ClusterView view = ClusterView.of(node(1, 4), node(2, 4), node(3, 4));
    StringBuilder order = new StringBuilder();

    for (int seed = 0; seed < 12; seed++) {
      NodeId chosen = place(cpus(1).withSeed(seed), view);
      order.append(chosen.number());
      view = view.afterPlacing(chosen, cpus(1));
    }

    assertThat(order.toString()).isEqualTo("112233123123");
    assertThat(planner.plan(cpus(1), view)).isInstanceOf(Decision.Wait.class);
  }

  @Test
  void plan_defaultOnManyNodes_isRandomAmongTheBestFifth() {
    ClusterView view = ClusterView.EMPTY;
    for (int number = 1; number <= 10; number++) {
      view = view.with(node(number, 100));
    }
    TreeMap<Long, Integer> histogram = new TreeMap<>();
    for (int seed = 0; seed < 1000; seed++) {
      histogram.merge(place(cpus(1).withSeed(seed), view).number(), 1, Integer::sum);
    }

    assertThat(histogram).containsOnlyKeys(1L, 2L);
    assertThat(histogram.get(1L)).isBetween(400, 600);
  }

  @Test
  void plan_dataSomewhere_goesThereWhileThereIsRoom() {
    ClusterView view = ClusterView.of(node(1, 4), node(2, 4), node(3, 4, 0));
    PlacementQuery query = cpus(1);

    assertThat(place(query.with(Map.of(id(2), 100 * MIB)), view)).isEqualTo(id(2));
    assertThat(place(query.with(Map.of(id(2), MIB / 2)), view)).isEqualTo(id(1));
    assertThat(place(query.with(Map.of(id(3), 100 * MIB, id(2), MIB)), view)).isEqualTo(id(2));
    assertThat(place(query.with(Map.of(id(1), 9 * MIB, id(2), 9 * MIB + 1)), view))
        .isEqualTo(id(1));
  }

  @Test
  void plan_workWithoutGpus_leavesGpuNodesAlone() {
    ClusterView view =
        ClusterView.of(
            NodeView.free(id(1), Resources.cpus(4).withGpus(1)), node(2, 4, 1), node(3, 4, 0));

    assertThat(place(cpus(1), view)).isEqualTo(id(2));
    assertThat(place(cpus(2), view)).isEqualTo(id(1));
    assertThat(place(PlacementQuery.of(Demand.of(Resources.NONE.withGpus(1)), 0), view))
        .isEqualTo(id(1));
  }

  @Test
  void plan_gpusScattered_waits() {
    Resources total = Resources.cpus(4).withGpus(2);
    NodeNumbers numbers = new NodeNumbers(total, total.withGpus(1), new GpuRoom(5_000, 0), 3);
    ClusterView view = ClusterView.of(NodeView.free(id(1), total).withNumbers(numbers), node(2, 4));

    Decision decision =
        planner.plan(PlacementQuery.of(Demand.of(Resources.NONE.withGpus(1)), 0), view);

    assertThat(((Decision.Wait) decision).rejectedBy())
        .extracting(Rejection::why)
        .containsExactly(Rejection.Why.GPUS_SCATTERED, Rejection.Why.TOO_SMALL);
  }

  @Test
  void plan_spreadOnAnUnchangedView_isEven() {
    ClusterView view =
        ClusterView.of(node(1, 64), node(2, 64), node(3, 64), node(4, 64), node(5, 64));
    TreeMap<Long, Integer> histogram = new TreeMap<>();
    TreeMap<Long, Integer> other = new TreeMap<>();

    for (int seed = 0; seed < 1000; seed++) {
      PlacementQuery query = cpus(1).with(Strategy.SPREAD).withSeed(seed);
      histogram.merge(place(query, view).number(), 1, Integer::sum);
      PlacementQuery half = cpus(0.5).with(Strategy.SPREAD).withSeed(seed);
      other.merge(place(half, view).number(), 1, Integer::sum);
    }

    assertThat(histogram.values()).containsOnly(200);
    assertThat(other.values()).containsOnly(200);
  }

  @Test
  void plan_spreadWithANodeThatWasBusy_doesNotFloodIt() {
    ClusterView busy = ClusterView.of(node(1, 64), node(2, 64), node(3, 64, 0));
    PlacementQuery query = cpus(1).with(Strategy.SPREAD);
    for (int seed = 0; seed < 100; seed++) {
      assertThat(place(query.withSeed(seed), busy)).isNotEqualTo(id(3));
    }
    ClusterView free = busy.with(node(3, 64));
    TreeMap<Long, Integer> histogram = new TreeMap<>();
    for (int seed = 0; seed < 300; seed++) {
      histogram.merge(place(query.withSeed(seed), free).number(), 1, Integer::sum);
    }

    assertThat(histogram.values()).allMatch(count -> count >= 99 && count <= 101);
  }

  @Test
  void refused_spread_isNotCounted() {
    ClusterView view = ClusterView.of(node(1, 4), node(2, 4));
    PlacementQuery query = cpus(1).with(Strategy.SPREAD);
    NodeId first = place(query, view);
    planner.refused(query, first);

    assertThat(place(query, view)).isEqualTo(first);
    assertThat(place(query, view)).isNotEqualTo(first);
  }

  @Test
  void plan_actorsThatHoldNothing_areSpread() {
    ClusterView view = ClusterView.of(node(1, 4), node(2, 4), node(3, 4));
    TreeMap<Long, Integer> histogram = new TreeMap<>();
    for (int seed = 0; seed < 300; seed++) {
      PlacementQuery query = PlacementQuery.of(Demand.ACTOR, seed);
      histogram.merge(place(query, view).number(), 1, Integer::sum);
    }

    assertThat(histogram.values()).containsOnly(100);
  }

  @Test
  void plan_onNodeHard_placesWaitsOrSaysThatItIsGone() {
    ClusterView view = ClusterView.of(node(1, 4), node(2, 2, 1), node(3, 2).withAlive(false));
    Strategy two = new Strategy.OnNode(id(2), false);

    assertThat(place(cpus(1).with(two), view)).isEqualTo(id(2));
    assertThat(((Decision.Wait) planner.plan(cpus(2).with(two), view)).askAt())
        .containsExactly(id(2));
    assertThat(planner.plan(cpus(3).with(two), view)).isInstanceOf(Decision.Infeasible.class);
    for (long gone : new long[] {3, 9}) {
      Strategy strategy = new Strategy.OnNode(id(gone), false);
      assertThat(planner.plan(cpus(1).with(strategy), view))
          .isEqualTo(new Decision.NodeGone(id(gone)));
    }
  }

  @Test
  void plan_onNodeSoft_goesElsewhereOnlyWhenItCanNeverRunThere() {
    ClusterView view = ClusterView.of(node(1, 4), node(2, 2, 1));

    assertThat(place(cpus(1).with(new Strategy.OnNode(id(9), true)), view)).isEqualTo(id(1));
    assertThat(place(cpus(3).with(new Strategy.OnNode(id(2), true)), view)).isEqualTo(id(1));
    assertThat(planner.plan(cpus(2).with(new Strategy.OnNode(id(2), true)), view))
        .isInstanceOf(Decision.Wait.class);
  }

  @Test
  void plan_selectorWithFallbacks_takesTheFirstThatCanBeHad() {
    ClusterView view = ClusterView.of(node(1, "a"), node(2, "b"), node(3, "c"));
    LabelSelector selector =
        LabelSelector.all(Term.equalTo("zone", "x"))
            .orElse(Term.equalTo("zone", "c"))
            .orElse(Term.equalTo("zone", "b"));

    assertThat(place(cpus(1).with(selector), view)).isEqualTo(id(3));
    ClusterView busy = view.afterTaking(id(3), Resources.cpus(4));
    assertThat(place(cpus(1).with(selector), busy)).isEqualTo(id(2));
    assertThat(
            ((Decision.Wait)
                    planner.plan(
                        cpus(4).with(selector), busy.afterTaking(id(2), Resources.cpus(1))))
                .askAt())
        .containsExactly(id(3), id(2));
    Decision none = planner.plan(cpus(1).with(LabelSelector.all(Term.equalTo("zone", "x"))), view);
    assertThat(((Decision.Infeasible) none).reason())
        .isEqualTo("{cpu: 1}: of 3 nodes 3 with other labels");
  }

  private static BundleStatus bundle(int index, double cpus, double free) {
    return new BundleStatus(
        new BundleId(GROUP, index), 1, true, Resources.cpus(cpus), Resources.cpus(free));
  }

  @Test
  void plan_inGroup_choosesANodeWhoseBundleHasRoom() {
    ClusterView view =
        ClusterView.of(
            node(1, 4, 0).withBundles(List.of(bundle(0, 4, 1))),
            node(2, 4, 0).withBundles(List.of(bundle(1, 4, 3))),
            node(3, 4));
    PlacementQuery any = cpus(1).with(new Strategy.InGroup(BundleId.any(GROUP)));
    PlacementQuery zero = cpus(1).with(new Strategy.InGroup(new BundleId(GROUP, 0)));

    assertThat(place(any, view)).isEqualTo(id(2));
    assertThat(place(zero, view)).isEqualTo(id(1));
    assertThat(place(any.with(Map.of(id(1), 100 * MIB)), view)).isEqualTo(id(1));
    ClusterView later = view.afterPlacing(id(1), zero);
    assertThat(((Decision.Wait) planner.plan(zero, later)).askAt()).containsExactly(id(1));
  }

  @Test
  void plan_inGroup_waitsForItsPlacementAndKnowsWhatNeverFits() {
    ClusterView view = ClusterView.of(node(1, 8).withBundles(List.of(bundle(0, 2, 2))), node(2, 8));
    PlacementQuery large = cpus(4).with(new Strategy.InGroup(BundleId.any(GROUP)));
    GroupId other = new GroupId(1, 2);

    assertThat(((Decision.Infeasible) planner.plan(large, view)).reason())
        .isEqualTo("{cpu: 4} in " + GROUP + "[any]: of 2 nodes 1 without the bundle, 1 too small");
    assertThat(
            ((Decision.Wait)
                    planner.plan(cpus(1).with(new Strategy.InGroup(BundleId.any(other))), view))
                .reason())
        .isEqualTo(other + "[any] is not placed yet");
  }

  @Test
  void rejectedBy_manyNodes_isBounded() {
    ClusterView view = ClusterView.EMPTY;
    for (int number = 0; number < 100; number++) {
      view = view.with(node(number, 1));
    }
    Decision.Infeasible never = (Decision.Infeasible) planner.plan(cpus(2), view);

    assertThat(never.rejectedBy()).hasSize(Decision.MAX_REJECTIONS);
    assertThat(never.reason()).isEqualTo("{cpu: 2}: of 100 nodes 100 too small");
  }
}
