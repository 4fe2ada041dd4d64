package io.aktis.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.resource.LabelSelector.Term;
import io.aktis.core.resource.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random clusters and queries: the decision is of the right kind, and the same every time. */
class PlannerPropertyTest {
  @Test
  void plan_randomClusters_placesIffThereIsRoomAndWaitsIffThereCouldBe() {
    for (long seed = 0; seed < 3000; seed++) {
      Random random = new Random(seed);
      ClusterView view = cluster(random);
      PlacementQuery query = query(random, view);

      Decision decision = new Planner().plan(query, view);

      List<NodeView> matching =
          view.nodes().stream()
              .filter(node -> node.alive() && query.selector().matches(node.labels()))
              .toList();
      Resources need = query.demand().toPlace();
      boolean room = matching.stream().anyMatch(node -> need.fitsIn(node.available()));
      boolean could = matching.stream().anyMatch(node -> need.fitsIn(node.total()));
      Class<?> expected =
          room ? Decision.Place.class : could ? Decision.Wait.class : Decision.Infeasible.class;
      assertThat(decision).as("seed %d", seed).isInstanceOf(expected);
      if (decision instanceof Decision.Place place) {
        assertThat(matching)
            .as("seed %d", seed)
            .anyMatch(node -> node.id().equals(place.node()) && need.fitsIn(node.available()));
      }
      assertThat(new Planner().plan(query, view)).as("again, seed %d", seed).isEqualTo(decision);
    }
  }

  private static ClusterView cluster(Random random) {
    ClusterView view = ClusterView.EMPTY;
    for (int number = random.nextInt(8); number > 0; number--) {
      Resources total = Resources.cpus(random.nextInt(5));
      total = random.nextBoolean() ? total : total.with("a", random.nextInt(3));
      NodeId id = new NodeId(random.nextInt(3), number);
      String zone = String.valueOf(random.nextInt(3));
      view =
          view.with(
              NodeView.free(id, total)
                  .withLabels(new TreeMap<>(Map.of("zone", zone)))
                  .withAlive(random.nextInt(6) != 0));
      Resources taken = Resources.cpus(random.nextInt(3)).with("a", random.nextInt(2));
      view = view.afterTaking(id, taken);
    }
    return view;
  }

  private static PlacementQuery query(Random random, ClusterView view) {
    Resources need = Resources.cpus(random.nextInt(5)).with("a", random.nextInt(3) == 0 ? 1 : 0);
    Demand demand = random.nextBoolean() ? Demand.of(need) : new Demand(need, need.withoutCpu());
    Map<NodeId, Long> bytes = new LinkedHashMap<>();
    view.nodes().forEach(node -> bytes.put(node.id(), random.nextLong(4 << 20)));
    LabelSelector selector =
        switch (random.nextInt(3)) {
          case 0 -> LabelSelector.all(Term.equalTo("zone", "0")).orElse(Term.in("zone", "0", "1"));
          case 1 -> LabelSelector.all(Term.notIn("zone", "2"));
          default -> LabelSelector.ANY;
        };
    Strategy strategy = random.nextBoolean() ? Strategy.DEFAULT : Strategy.SPREAD;
    return new PlacementQuery(
        demand, strategy, selector, random.nextBoolean() ? bytes : Map.of(), random.nextLong());
  }
}
