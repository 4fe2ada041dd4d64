package io.aktis.core.placement;

import static io.aktis.core.placement.PlacementStrategy.PACK;
import static io.aktis.core.placement.PlacementStrategy.SPREAD;
import static io.aktis.core.placement.PlacementStrategy.STRICT_PACK;
import static io.aktis.core.placement.PlacementStrategy.STRICT_SPREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.NodeView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BundlePlannerTest {
  private static final Resources ONE = Resources.cpus(1);
  private static final Resources TWO = Resources.cpus(2);
  private static final Resources THREE = Resources.cpus(3);

  private static NodeId id(long number) {
    return new NodeId(1, number);
  }

  private static ClusterView cluster(double... cpus) {
    ClusterView view = ClusterView.EMPTY;
    for (int i = 0; i < cpus.length; i++) {
      view = view.with(NodeView.free(id(i + 1), Resources.cpus(cpus[i])));
    }
    return view;
  }

  private static BundlePlan plan(
      PlacementStrategy strategy, ClusterView view, Resources... bundles) {
    return BundlePlanner.plan(GroupSpec.of(strategy, 1, bundles), new TreeMap<>(), view);
  }

  private static String nodes(BundlePlan plan) {
    StringBuilder out = new StringBuilder();
    ((BundlePlan.Found) plan).nodes().values().forEach(node -> out.append(node.number()));
    return out.toString();
  }

  @Test
  void pack_fitsOnOneNode_usesOne() {
    assertThat(nodes(plan(PACK, cluster(2, 4, 4), ONE, TWO, ONE))).isEqualTo("222");
  }

  @Test
  void pack_fitsOnNoSingleNode_usesFew() {
    assertThat(nodes(plan(PACK, cluster(1, 4, 3), TWO, TWO, TWO, ONE))).isEqualTo("2233");
  }

  @Test
  void pack_halfUsedNodes_areFilledFirst() {
    ClusterView view = cluster(4, 4).afterTaking(id(2), TWO);

    assertThat(nodes(plan(PACK, view, TWO))).isEqualTo("2");
    assertThat(nodes(plan(STRICT_PACK, view, ONE, ONE))).isEqualTo("22");
  }

  @Test
  void spread_enoughNodes_usesAll() {
    assertThat(nodes(plan(SPREAD, cluster(4, 4, 4), ONE, ONE, ONE))).isEqualTo("123");
    assertThat(nodes(plan(SPREAD, cluster(4, 4), ONE, ONE, ONE, ONE))).isEqualTo("1212");
  }

  @Test
  void strictPack_onlyTogetherOrNotAtAll() {
    assertThat(nodes(plan(STRICT_PACK, cluster(2, 3), ONE, TWO))).isEqualTo("22");
    assertThat(plan(STRICT_PACK, cluster(2, 2), ONE, TWO))
        .isEqualTo(
            new BundlePlan.Infeasible(
                "the nodes are too few or too small for STRICT_PACK [{cpu: 1}, {cpu: 2}]"));
    assertThat(plan(STRICT_PACK, cluster(3).afterTaking(id(1), ONE), ONE, TWO))
        .isEqualTo(new BundlePlan.Busy("too little is free for STRICT_PACK [{cpu: 1}, {cpu: 2}]"));
  }

  @Test
  void strictSpread_needsAMatching_findsIt() {
    assertThat(nodes(plan(STRICT_SPREAD, cluster(1, 2, 3), ONE, TWO, THREE))).isEqualTo("123");
    assertThat(nodes(plan(STRICT_SPREAD, cluster(3, 2, 1), ONE, TWO, THREE))).isEqualTo("321");
    assertThat(plan(STRICT_SPREAD, cluster(4, 4), ONE, ONE, ONE))
        .isInstanceOf(BundlePlan.Infeasible.class);
    assertThat(plan(STRICT_SPREAD, cluster(4, 4).afterTaking(id(1), Resources.cpus(4)), ONE, ONE))
        .isInstanceOf(BundlePlan.Busy.class);
  }

  @Test
  void plan_bundleThatFitsNowhere_isInfeasible() {
    for (PlacementStrategy strategy : PlacementStrategy.values()) {
      assertThat(plan(strategy, cluster(2, 2), ONE, THREE))
          .isEqualTo(new BundlePlan.Infeasible("no node can hold bundle 1 of {cpu: 3}"));
      assertThat(plan(strategy, ClusterView.EMPTY, ONE)).isInstanceOf(BundlePlan.Infeasible.class);
    }
  }

  @Test
  void plan_moreThanTheClusterHas_isInfeasible() {
    assertThat(plan(PACK, cluster(2, 2), TWO, TWO, ONE)).isInstanceOf(BundlePlan.Infeasible.class);
    assertThat(plan(SPREAD, cluster(2, 3), TWO, TWO, ONE)).isInstanceOf(BundlePlan.Found.class);
  }

  @Test
  void plan_deadNodes_areNotUsed() {
    NodeView dead = NodeView.free(id(1), Resources.cpus(8)).withAlive(false);
    ClusterView view = ClusterView.of(dead, NodeView.free(id(2), ONE));

    assertThat(nodes(plan(PACK, view, ONE))).isEqualTo("2");
    assertThat(plan(PACK, view, TWO)).isInstanceOf(BundlePlan.Infeasible.class);
  }

  @Test
  void plan_bundlesThatStay_areRespected() {
    SortedMap<Integer, NodeId> stays = new TreeMap<>(Map.of(0, id(1)));
    ClusterView view = cluster(4, 4, 2);

    GroupSpec strictSpread = GroupSpec.of(STRICT_SPREAD, 1, ONE, ONE, TWO);
    assertThat(((BundlePlan.Found) BundlePlanner.plan(strictSpread, stays, view)).nodes())
        .containsOnlyKeys(1, 2)
        .doesNotContainValue(id(1));
    GroupSpec strictPack = GroupSpec.of(STRICT_PACK, 1, ONE, ONE);
    assertThat(nodes(BundlePlanner.plan(strictPack, stays, view))).isEqualTo("1");
    GroupSpec spread = GroupSpec.of(SPREAD, 1, ONE, ONE, ONE);
    assertThat(nodes(BundlePlanner.plan(spread, stays, view))).isEqualTo("23");
  }

  @Test
  void plan_gpusScattered_isBusy() {
    Resources total = Resources.cpus(4).withGpus(2);
    NodeNumbers scattered = new NodeNumbers(total, total.withGpus(1), new GpuRoom(5_000, 0), 1);
    ClusterView view = ClusterView.of(NodeView.free(id(1), total).withNumbers(scattered));
    Resources half = Resources.NONE.withGpus(0.5);

    assertThat(plan(PACK, view, Resources.NONE.withGpus(1))).isInstanceOf(BundlePlan.Busy.class);
    assertThat(nodes(plan(PACK, view, half))).isEqualTo("1");
    ClusterView free = ClusterView.of(NodeView.free(id(1), total));
    assertThat(nodes(plan(PACK, free, half, half, Resources.NONE.withGpus(1)))).isEqualTo("111");
    assertThat(plan(PACK, free, half, Resources.NONE.withGpus(2)))
        .isInstanceOf(BundlePlan.Infeasible.class);
  }

  @Test
  void groupSpec_wrongBundles_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> GroupSpec.of(PACK, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GroupSpec.of(PACK, 1, Resources.NONE))
        .withMessage("bundle 0 is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupSpec("", PACK, List.of(new Bundle(1, ONE)), 1, false));
  }

  @Test
  void plan_randomClusters_keepsEveryRule() {
    for (long seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      ClusterView view =
          cluster(random.ints(1 + random.nextInt(5), 1, 6).asDoubleStream().toArray());
      Resources[] bundles = new Resources[1 + random.nextInt(4)];
      Arrays.setAll(bundles, i -> Resources.cpus(1 + random.nextInt(3)));
      PlacementStrategy strategy = PlacementStrategy.values()[random.nextInt(4)];

      BundlePlan plan = plan(strategy, view, bundles);

      // All is free: so whatever is not found must be proven, or be hard to pack.
      boolean strict = strategy == STRICT_PACK || strategy == STRICT_SPREAD;
      if (plan instanceof BundlePlan.Found found) {
        check("seed " + seed, strategy, view, bundles, found.nodes());
      } else if (strict) {
        assertThat(plan).as("seed %d", seed).isInstanceOf(BundlePlan.Infeasible.class);
        assertThat(exists(strategy, view, bundles, 0, new TreeMap<>()))
            .as("seed %d", seed)
            .isFalse();
      } else if (plan instanceof BundlePlan.Infeasible) {
        assertThat(exists(strategy, view, bundles, 0, new TreeMap<>()))
            .as("seed %d", seed)
            .isFalse();
      }
      assertThat(plan(strategy, view, bundles)).as("again, seed %d", seed).isEqualTo(plan);
    }
  }

  private static void check(
      String seed,
      PlacementStrategy strategy,
      ClusterView view,
      Resources[] bundles,
      SortedMap<Integer, NodeId> nodes) {
    assertThat(nodes).as(seed).hasSize(bundles.length);
    ClusterView left = view;
    for (int i = 0; i < bundles.length; i++) {
      NodeView node = left.node(nodes.get(i));
      assertThat(bundles[i].fitsIn(node.numbers().available())).as(seed).isTrue();
      left = left.afterTaking(nodes.get(i), bundles[i]);
    }
    long distinct = nodes.values().stream().distinct().count();
    if (strategy == STRICT_PACK) {
      assertThat(distinct).as(seed).isEqualTo(1);
    } else if (strategy == STRICT_SPREAD) {
      assertThat(distinct).as(seed).isEqualTo(bundles.length);
    }
  }

  /** Tries everything. */
  private static boolean exists(
      PlacementStrategy strategy,
      ClusterView left,
      Resources[] bundles,
      int next,
      SortedMap<Integer, NodeId> nodes) {
    if (next == bundles.length) {
      long distinct = nodes.values().stream().distinct().count();
      return strategy == STRICT_PACK
          ? distinct == 1
          : strategy != STRICT_SPREAD || distinct == bundles.length;
    }
    for (NodeView node : left.nodes()) {
      if (bundles[next].fitsIn(node.numbers().available())) {
        nodes.put(next, node.id());
        ClusterView after = left.afterTaking(node.id(), bundles[next]);
        if (exists(strategy, after, bundles, next + 1, nodes)) {
          return true;
        }
        nodes.remove(next);
      }
    }
    return false;
  }
}
