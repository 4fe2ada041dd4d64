package io.aktis.conformance;

import static io.aktis.LabelRule.equalTo;
import static io.aktis.LabelRule.exists;
import static io.aktis.LabelRule.in;
import static io.aktis.LabelRule.notIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.InfeasibleException;
import io.aktis.NodeDiedException;
import io.aktis.ObjectRef;
import io.aktis.TaskCall;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.Notes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where tasks run. */
@EngineTest(
    nodes = {
      @Node(
          cpus = 4,
          labels = {"zone=a", "disk=ssd"}),
      @Node(
          cpus = 4,
          labels = {"zone=b", "disk=hdd"}),
      @Node(cpus = 4, labels = "zone=c"),
      @Node(cpus = 4)
    },
    options = ShortGrace.class)
class SchedulingTest {
  @Test
  @Semantics("5.place.spread")
  void spread_tasksThatStay_areEvenOverEqualNodes() {
    Gate gate = Gate.closed();
    Notes nodes = Notes.empty();
    List<ObjectRef<Void>> tasks =
        IntStream.range(0, 16)
            .mapToObj(_ -> Aktis.run(RetryTest::held, nodes, gate).spread().remote())
            .toList();
    gate.awaitArrivals(16);

    Map<String, Integer> counts = new TreeMap<>();
    nodes.lines().forEach(node -> counts.merge(node, 1, Integer::sum));

    assertThat(counts.values()).containsExactly(4, 4, 4, 4);
    gate.open();
    Aktis.<Void>get(tasks);
  }

  @Test
  @Semantics("5.place.spread")
  void spread_fewerTasksThanNodes_useAsManyNodes() {
    Gate gate = Gate.closed();
    Notes nodes = Notes.empty();
    List<ObjectRef<Void>> tasks =
        IntStream.range(0, 3)
            .mapToObj(_ -> Aktis.run(RetryTest::held, nodes, gate).spread().remote())
            .toList();
    gate.awaitArrivals(3);

    assertThat(nodes.lines()).doesNotHaveDuplicates();
    gate.open();
    Aktis.<Void>get(tasks);
  }

  @Test
  @Semantics("5.place.affinity")
  void onNode_everyNode_runsThere(AktisSession session) {
    for (var node : session.cluster().nodes()) {
      assertThat(here().onNode(node.id()).remote().get()).isEqualTo(node.id());
      assertThat(here().preferNode(node.id()).remote().get()).isEqualTo(node.id());
    }
  }

  @Test
  @Semantics("5.place.affinity")
  void onNode_nodeIsFull_waitsForIt(AktisSession session) {
    String node = session.cluster().nodes().getLast().id();
    Gate gate = Gate.closed();
    ObjectRef<Void> busy = Aktis.run(Gate::pass, gate).cpus(4).onNode(node).remote();
    gate.awaitArrivals(1);

    ObjectRef<String> waiting = here().onNode(node).remote();

    assertThat(here().remote().get()).isNotEqualTo(node);
    assertThat(waiting.isReady()).isFalse();
    gate.open();
    busy.get();
    assertThat(waiting.get()).isEqualTo(node);
  }

  @Test
  @Semantics("5.place.affinity")
  void onNode_nodeIsGone_failsAndSoftAffinityGoesElsewhere(
      AktisSession session, NodeFaults faults) {
    String gone = session.cluster().nodes().getLast().id();
    faults.kill(gone);

    assertThatThrownBy(here().onNode(gone).remote()::get)
        .isInstanceOfAny(NodeDiedException.class, InfeasibleException.class)
        .hasMessageContaining(gone);
    assertThat(here().preferNode(gone).remote().get()).isNotEqualTo(gone);
  }

  @Test
  @Semantics("5.place.affinity")
  void onNode_nodeDiesMeanwhile_fails(AktisSession session, NodeFaults faults) {
    String doomed = session.cluster().nodes().getLast().id();
    Gate gate = Gate.closed();
    ObjectRef<Void> bound = Aktis.run(Gate::pass, gate).onNode(doomed).remote();
    gate.awaitArrivals(1);

    faults.kill(doomed);

    assertThatThrownBy(bound::get)
        .isInstanceOfAny(NodeDiedException.class, InfeasibleException.class);
  }

  @Test
  @Semantics("5.place.affinity")
  void preferNode_nodeThatCanNeverHoldIt_goesElsewhere(AktisSession session) {
    String without = zones(session, "none").iterator().next();

    assertThat(here().onNodesWith("zone", exists()).preferNode(without).remote().get())
        .isNotEqualTo(without);
  }

  @Test
  @Semantics("5.place.labels")
  void labels_everyRule_choosesTheNodesThatMatch(AktisSession session) {
    assertThat(nodesOf(here().onNodesWith("zone", equalTo("b")))).isEqualTo(zones(session, "b"));
    assertThat(nodesOf(here().onNodesWith("zone", in("a", "b"))))
        .isSubsetOf(zones(session, "a", "b"));
    assertThat(nodesOf(here().onNodesWith("zone", exists())))
        .isSubsetOf(zones(session, "a", "b", "c"));
    assertThat(nodesOf(here().onNodesWith("zone", notIn("a", "b"))))
        .isSubsetOf(zones(session, "c", "none"));
    assertThat(nodesOf(here().onNodesWith("zone", exists()).onNodesWith("disk", notIn("ssd"))))
        .isSubsetOf(zones(session, "b", "c"));
  }

  @Test
  @Semantics("5.place.labels")
  void labels_withFallback_useItWhenNothingMatches(AktisSession session) {
    assertThat(
            nodesOf(here().onNodesWith("zone", equalTo("z")).orNodesWith("disk", equalTo("hdd"))))
        .isEqualTo(zones(session, "b"));
  }

  @Test
  @Semantics({"5.place.labels", "2.infeasible.typed"})
  void labels_noNodeMatches_isInfeasible() {
    assertThatThrownBy(here().onNodesWith("zone", equalTo("z")).remote()::get)
        .isInstanceOf(InfeasibleException.class)
        .hasMessageContaining("zone");
  }

  private static TaskCall<String> here() {
    return Aktis.task(() -> Aktis.context().nodeId());
  }

  private static Set<String> nodesOf(TaskCall<String> call) {
    List<ObjectRef<String>> refs = IntStream.range(0, 20).mapToObj(_ -> call.remote()).toList();
    return new HashSet<>(Aktis.<String>get(refs));
  }

  private static Set<String> zones(AktisSession session, String... zones) {
    Set<String> ids = new HashSet<>();
    for (var node : session.cluster().nodes()) {
      if (Set.of(zones).contains(node.labels().getOrDefault("zone", "none"))) {
        ids.add(node.id());
      }
    }
    return ids;
  }
}
