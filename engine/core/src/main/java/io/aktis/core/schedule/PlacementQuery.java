package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import java.util.Collections;
import java.util.Map;

/**
 * A piece of work that looks for a node.
 *
 * @param demand what it needs
 * @param strategy how to choose
 * @param selector which nodes will do
 * @param bytesByNode how much of its arguments lies where; looked up and never iterated
 * @param seed the source of randomness; the same query on the same view with the same seed has the
 *     same answer
 */
public record PlacementQuery(
    Demand demand,
    Strategy strategy,
    LabelSelector selector,
    Map<NodeId, Long> bytesByNode,
    long seed) {

  /** Returns a query with the default strategy, for any node, without large arguments. */
  public static PlacementQuery of(Demand demand, long seed) {
    return new PlacementQuery(
        demand, Strategy.DEFAULT, LabelSelector.ANY, Collections.emptyMap(), seed);
  }

  /** Returns this query with another strategy. */
  public PlacementQuery with(Strategy other) {
    return new PlacementQuery(demand, other, selector, bytesByNode, seed);
  }

  /** Returns this query with another selector. */
  public PlacementQuery with(LabelSelector other) {
    return new PlacementQuery(demand, strategy, other, bytesByNode, seed);
  }

  /** Returns this query with other places of its arguments. */
  public PlacementQuery with(Map<NodeId, Long> otherBytesByNode) {
    return new PlacementQuery(demand, strategy, selector, otherBytesByNode, seed);
  }

  /** Returns this query with another seed. */
  public PlacementQuery withSeed(long other) {
    return new PlacementQuery(demand, strategy, selector, bytesByNode, other);
  }
}
