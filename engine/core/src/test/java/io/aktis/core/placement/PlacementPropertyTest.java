package io.aktis.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.NodeView;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Groups come and go, nodes too, and messages are lost, repeated and late. Safety is checked at
 * every step (in the world); when the faults stop, everything that can be placed is placed, and
 * what nodes hold is exactly what the machine believes.
 */
class PlacementPropertyTest {
  private static final int SEEDS = 150;

  @Test
  void groups_anyInterleaving_settleAndLeakNothing() {
    int everReady = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        everReady += run(seed);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
    assertThat(everReady).isGreaterThan(SEEDS);
  }

  private static int run(long seed) {
    PlacementWorld world = new PlacementWorld(seed);
    for (int step = 0; step < 120; step++) {
      world.disturb();
      world.run(step % 7 * 20L);
    }
    world.faulty = false;
    world.releaseAll();
    world.run(20_000);
    checkSettled(world);
    int ready = world.ready.size();

    world.faulty = true;
    for (GroupStatus group : world.machine.groups()) {
      world.tell(new PlacementEvent.Remove(group.id(), 1_000_000));
    }
    world.faulty = false;
    world.run(20_000);
    assertThat(world.machine.groups()).isEmpty();
    world.ledgers.forEach((node, ledger) -> {
      assertThat(ledger.bundles()).as("bundles on %s", node).isEmpty();
      assertThat(ledger.available()).as("free on %s", node).isEqualTo(ledger.total());
    });
    return ready;
  }

  private static void checkSettled(PlacementWorld world) {
    TreeMap<BundleId, NodeId> believed = new TreeMap<>();
    ClusterView now = ClusterView.EMPTY;
    for (var entry : world.ledgers.entrySet()) {
      NodeView node = NodeView.free(entry.getKey(), entry.getValue().total());
      now = now.with(node.withNumbers(entry.getValue().numbers()));
    }
    for (GroupStatus group : world.machine.groups()) {
      group.placed().forEach((i, place) -> believed.put(new BundleId(group.id(), i), place.node()));
      TreeMap<Integer, NodeId> placed = new TreeMap<>();
      group.placed().forEach((index, place) -> placed.put(index, place.node()));
      if (group.state() == PlacementState.CREATED) {
        checkStrict(group, new TreeSet<>(placed.values()).size());
        assertThat(world.ready).contains(group.id());
      } else {
        assertThat(group.state().isWaiting()).as("%s settles", group).isTrue();
        assertThat(BundlePlanner.plan(group.spec(), placed, now))
            .as("%s waits for good reason", group)
            .isNotInstanceOf(BundlePlan.Found.class);
      }
    }
    TreeMap<BundleId, NodeId> real = new TreeMap<>();
    world.ledgers.forEach((node, ledger) -> {
      for (BundleStatus bundle : ledger.bundles()) {
        assertThat(bundle.committed()).isTrue();
        assertThat(real.put(bundle.id(), node)).isNull();
      }
    });
    assertThat(real).isEqualTo(believed);
  }

  private static void checkStrict(GroupStatus group, int nodes) {
    switch (group.spec().strategy()) {
      case STRICT_PACK -> assertThat(nodes).isEqualTo(1);
      case STRICT_SPREAD -> assertThat(nodes).isEqualTo(group.placed().size());
      case PACK, SPREAD -> {}
    }
  }
}
