package io.aktis.benchmarks.micro;

import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.LeaseRequest;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.Decision;
import io.aktis.core.schedule.NodeView;
import io.aktis.core.schedule.PlacementQuery;
import io.aktis.core.schedule.Planner;
import io.aktis.core.schedule.Strategy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Decisions without threads: what a lease and a plan cost. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MachineBenchmarks {
  private static final long OWNER = 7;

  /** Nodes in the view. */
  @Param({"1", "100"})
  public int nodes;

  private final LeaseLedger ledger =
      new LeaseLedger(Resources.of(64, 0, 1L << 30, Map.of()), List.of());
  private final Planner planner = new Planner();
  private ClusterView view = ClusterView.EMPTY;
  private long sequence;

  /** Makes a view of nodes that are free. */
  @Setup
  public void fillView() {
    Resources total = Resources.of(64, 0, 1L << 30, Map.of());
    for (int node = 1; node <= nodes; node++) {
      view = view.with(NodeView.free(new NodeId(OWNER, node), total));
    }
  }

  /** A lease of one CPU, granted and released. */
  @Benchmark
  public LeaseAnswer leaseAndRelease() {
    LeaseId id = new LeaseId(OWNER, ++sequence);
    LeaseAnswer answer = ledger.request(new LeaseRequest(id, Demand.TASK, null), sequence);
    ledger.release(id);
    return answer;
  }

  /** The choice of a node for a task without arguments. */
  @Benchmark
  public Decision plan() {
    PlacementQuery query =
        new PlacementQuery(Demand.TASK, Strategy.DEFAULT, LabelSelector.ANY, Map.of(), ++sequence);
    return planner.plan(query, view);
  }
}
