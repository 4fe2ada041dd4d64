package io.aktis.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.LeaseRequest;
import io.aktis.core.lease.PrepareAnswer;
import io.aktis.core.lease.Returned;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.NodeView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A placement machine, the ledgers of its nodes and a network between them that loses, repeats and
 * reorders, all in one thread from a seed.
 */
final class PlacementWorld {
  private static final PlacementLimits LIMITS = new PlacementLimits(500, 2_000, 50, 400, 20, 1_000);

  final PlacementMachine machine = new PlacementMachine(LIMITS);
  final LinkedHashMap<NodeId, LeaseLedger> ledgers = new LinkedHashMap<>();
  final LinkedHashSet<GroupId> ready = new LinkedHashSet<>();
  final TreeSet<GroupId> removed = new TreeSet<>();
  private final LinkedHashMap<LeaseId, NodeId> leases = new LinkedHashMap<>();
  private final Random random;
  private final TreeMap<Long, ArrayDeque<Runnable>> agenda = new TreeMap<>();
  private long nowMs;
  private int lastGroup;
  private int lastLease;
  private int lastNode;

  /** Whether messages get lost, come twice or late. */
  boolean faulty = true;

  PlacementWorld(long seed) {
    random = new Random(seed);
    for (int i = 0; i < 3 + random.nextInt(3); i++) {
      join();
    }
    tick();
  }

  private void at(long timeMs, Runnable what) {
    agenda.computeIfAbsent(timeMs, ignored -> new ArrayDeque<>()).add(what);
  }

  /** Sends a message: it arrives once if all is well, and in its order. */
  private void send(Runnable arrival) {
    if (!faulty) {
      at(nowMs + 1, arrival);
      return;
    }
    int copies = random.nextInt(10) == 0 ? 0 : random.nextInt(10) == 0 ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      at(nowMs + 1 + random.nextInt(random.nextInt(5) == 0 ? 700 : 20), arrival);
    }
  }

  void run(long forMs) {
    long endMs = nowMs + forMs;
    while (!agenda.isEmpty() && agenda.firstKey() <= endMs) {
      nowMs = agenda.firstKey();
      ArrayDeque<Runnable> due = agenda.firstEntry().getValue();
      Runnable next = due.remove();
      if (due.isEmpty()) {
        agenda.remove(nowMs);
      }
      next.run();
      machine.validate();
    }
    nowMs = endMs;
  }

  /** What nodes do by themselves: expire, and tell how they are. */
  private void tick() {
    at(nowMs + 100, this::tick);
    ledgers.forEach((id, ledger) -> {
      end(id, ledger, ledger.expire(nowMs));
      ledger.validate();
      NodeView view = view(id, ledger);
      send(() -> tellIfThere(id, new PlacementEvent.NodeChanged(view, nowMs)));
      if (nowMs % 500 == 0) {
        List<BundleStatus> bundles = ledger.bundles();
        send(() -> tellIfThere(id, new PlacementEvent.Reported(id, bundles, nowMs)));
      }
    });
  }

  private static NodeView view(NodeId id, LeaseLedger ledger) {
    return NodeView.free(id, ledger.total()).withNumbers(ledger.numbers());
  }

  private void tellIfThere(NodeId node, PlacementEvent event) {
    if (ledgers.containsKey(node)) {
      tell(event);
    }
  }

  void tell(PlacementEvent event) {
    machine.on(event, this::carryOut);
  }

  private void carryOut(PlacementEffect effect) {
    switch (effect) {
      case PlacementEffect.SendPrepare send -> send(() -> prepare(send));
      case PlacementEffect.SendCommit send -> send(() -> commit(send));
      case PlacementEffect.SendCancel send ->
          send(() ->
              onLedger(
                  send.node(),
                  ledger -> ledger.cancel(send.group(), send.indexes(), send.attempt(), nowMs)));
      case PlacementEffect.SendRemove send ->
          send(() -> onLedger(send.node(), ledger -> ledger.remove(send.group(), nowMs)));
      case PlacementEffect.SetTimer timer ->
          at(timer.atMs(), () -> tell(new PlacementEvent.Timer(timer.key(), nowMs)));
      case PlacementEffect.TellReady tell -> {
        assertThat(removed).doesNotContain(tell.group());
        ready.add(tell.group());
      }
      case PlacementEffect.TellLost tell -> ready.remove(tell.group());
      case PlacementEffect.TellRemoved tell -> {
        ready.remove(tell.group());
        removed.add(tell.group());
      }
      case PlacementEffect.TellInfeasible ignored -> {}
      case PlacementEffect.Save ignored -> {}
      case PlacementEffect.Erase ignored -> {}
    }
  }

  private void onLedger(NodeId node, Function<LeaseLedger, Returned> call) {
    LeaseLedger ledger = ledgers.get(node);
    if (ledger != null) {
      end(node, ledger, call.apply(ledger));
      ledger.validate();
    }
  }

  /** Work in bundles that are gone ends a little later. */
  private void end(NodeId node, LeaseLedger ledger, Returned returned) {
    for (LeaseId lease : returned.toEnd()) {
      at(
          nowMs + 30,
          () -> {
            leases.remove(lease);
            ledger.release(lease);
            ledger.validate();
          });
    }
    assertThat(ledgers).containsKey(node);
  }

  private void prepare(PlacementEffect.SendPrepare send) {
    LeaseLedger ledger = ledgers.get(send.node());
    if (ledger == null) {
      return;
    }
    PrepareAnswer answer =
        ledger.prepare(send.group(), send.attempt(), send.bundles(), nowMs + send.holdMs(), nowMs);
    ledger.validate();
    send(() ->
        tellIfThere(
            send.node(),
            switch (answer) {
              case PrepareAnswer.Prepared yes ->
                  new PlacementEvent.Prepared(
                      send.node(), yes.group(), yes.indexes(), yes.attempt(), yes.numbers(), nowMs);
              case PrepareAnswer.Refused no ->
                  new PlacementEvent.Refused(
                      send.node(), no.group(), no.attempt(), no.reason(), no.numbers(), nowMs);
            }));
  }

  private void commit(PlacementEffect.SendCommit send) {
    LeaseLedger ledger = ledgers.get(send.node());
    if (ledger != null) {
      boolean done = ledger.commit(send.group(), send.indexes(), send.attempt());
      send(() ->
          tellIfThere(
              send.node(),
              new PlacementEvent.Committed(
                  send.node(), send.group(), send.attempt(), done, nowMs)));
    }
  }

  private void join() {
    lastNode++;
    Resources total = Resources.cpus(2 + random.nextInt(5));
    LeaseLedger ledger = new LeaseLedger(total, List.of());
    NodeId id = new NodeId(1, lastNode);
    ledgers.put(id, ledger);
    tell(new PlacementEvent.NodeChanged(view(id, ledger), nowMs));
  }

  /** Something that users, jobs or machines do. */
  void disturb() {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> createGroup();
      case 4, 5 -> removeGroup();
      case 6 -> loseNode();
      case 7 -> joinIfFew();
      case 8 -> releaseLease();
      case 9 -> jobEnds();
      default -> requestLease();
    }
  }

  private void createGroup() {
    lastGroup++;
    GroupId id = new GroupId(1, lastGroup);
    Resources[] bundles = new Resources[1 + random.nextInt(3)];
    Arrays.setAll(bundles, i -> Resources.cpus(1 + random.nextInt(2)));
    PlacementStrategy strategy = PlacementStrategy.values()[random.nextInt(4)];
    GroupSpec spec = GroupSpec.of(strategy, random.nextInt(4), bundles);
    tell(new PlacementEvent.Create(id, spec, nowMs));
    if (random.nextInt(6) == 0) {
      tell(new PlacementEvent.Remove(id, nowMs));
    }
  }

  private void removeGroup() {
    List<GroupStatus> all = machine.groups();
    if (!all.isEmpty()) {
      tell(new PlacementEvent.Remove(all.get(random.nextInt(all.size())).id(), nowMs));
    }
  }

  private void jobEnds() {
    if (random.nextInt(4) == 0) {
      tell(new PlacementEvent.JobEnded(random.nextInt(4), nowMs));
    }
  }

  private void loseNode() {
    List<NodeId> all = new ArrayList<>(ledgers.keySet());
    if (all.size() > 2 && random.nextBoolean()) {
      NodeId lost = all.get(random.nextInt(all.size()));
      ledgers.remove(lost);
      leases.values().removeIf(lost::equals);
      at(nowMs + random.nextInt(300), () -> tell(new PlacementEvent.NodeLost(lost, nowMs)));
    }
  }

  private void joinIfFew() {
    if (ledgers.size() < 5) {
      join();
    }
  }

  private void requestLease() {
    List<NodeId> all = new ArrayList<>(ledgers.keySet());
    NodeId node = all.get(random.nextInt(all.size()));
    GroupId group = new GroupId(1, 1 + random.nextInt(1 + lastGroup));
    BundleId where = random.nextBoolean() ? null : BundleId.any(group);
    LeaseId id = new LeaseId(1, ++lastLease);
    LeaseRequest request = new LeaseRequest(id, Demand.TASK, where);
    if (ledgers.get(node).request(request, nowMs) instanceof LeaseAnswer.Granted) {
      leases.put(id, node);
    }
  }

  private void releaseLease() {
    if (!leases.isEmpty()) {
      Map.Entry<LeaseId, NodeId> first = leases.pollFirstEntry();
      ledgers.get(first.getValue()).release(first.getKey());
    }
  }

  void releaseAll() {
    while (!leases.isEmpty()) {
      releaseLease();
    }
  }
}
