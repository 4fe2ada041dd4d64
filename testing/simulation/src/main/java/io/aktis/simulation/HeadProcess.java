package io.aktis.simulation;

import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.PrepareAnswer;
import io.aktis.core.placement.BundlePlace;
import io.aktis.core.placement.GroupRecord;
import io.aktis.core.placement.PlacementEffect;
import io.aktis.core.placement.PlacementEvent;
import io.aktis.core.placement.PlacementMachine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The head: placement groups, which it writes down, and the end of jobs. */
final class HeadProcess extends LiveProcess {
  private PlacementMachine machine = new PlacementMachine(Timing.PLACEMENT);

  /** What survives it: the control store. */
  private final Map<GroupId, GroupRecord> saved = new LinkedHashMap<>();

  private final Map<Address, NodeId> nodes = new LinkedHashMap<>();
  private final ArrayDeque<PlacementEvent> events = new ArrayDeque<>();
  private boolean busy;

  HeadProcess(World world) {
    super(world, Address.HEAD);
  }

  // ---- life -----------------------------------------------------------------------------------

  @Override
  void started() {
    machine = PlacementMachine.restored(Timing.PLACEMENT, List.copyOf(saved.values()));
    world().nodes().forEach(node -> connect(node.address()));
    world().owners().forEach(owner -> connect(owner.address()));
    after(Timing.HEAD_WARM_UP, this::countLost);
    for (GroupRecord record : saved.values()) {
      after(Timing.JOB_GRACE, () -> endJobIfGone(record.spec().job()));
    }
  }

  @Override
  void died() {
    nodes.clear();
    events.clear();
    busy = false;
  }

  /** Nodes that are in the books and have not come by since the start are gone. */
  private void countLost() {
    TreeSet<NodeId> known = new TreeSet<>();
    for (GroupRecord record : saved.values()) {
      for (BundlePlace place : record.placed().values()) {
        known.add(place.node());
      }
    }
    known.removeAll(nodes.values());
    known.forEach(node -> tell(new PlacementEvent.NodeLost(node, nowMs())));
  }

  private void endJobIfGone(long job) {
    Address owner = Address.ofOwner(job);
    if (!isConnected(owner)) {
      note("ends the job of", owner);
      tell(new PlacementEvent.JobEnded(job, nowMs()));
    }
  }

  @Override
  void peerUp(Address other) {}

  @Override
  void peerDown(Address other) {
    switch (other.kind()) {
      case NODE -> {
        NodeId gone = nodes.remove(other);
        if (gone != null) {
          tell(new PlacementEvent.NodeLost(gone, nowMs()));
        }
      }
      case OWNER -> after(Timing.JOB_GRACE, () -> endJobIfGone(other.ownerNumber()));
      case HEAD -> {}
    }
  }

  // ---- messages -------------------------------------------------------------------------------

  @Override
  void gossiped(Address from, Message message) {
    if (!isConnected(from)) {
      return;
    }
    switch (message) {
      case Message.Hello hello when hello.view().id().equals(nodes.get(from)) ->
          tell(new PlacementEvent.NodeChanged(hello.view(), nowMs()));
      case Message.Bundles bundles when bundles.node().equals(nodes.get(from)) ->
          tell(new PlacementEvent.Reported(bundles.node(), bundles.bundles(), nowMs()));
      default -> {} // of an earlier life
    }
  }

  @Override
  void received(Address from, Message message) {
    switch (message) {
      case Message.Hello hello -> {
        nodes.put(from, hello.view().id());
        lostLives(hello.view().id());
        tell(new PlacementEvent.NodeChanged(hello.view(), nowMs()));
      }
      case Message.Prepared prepared -> prepared(prepared);
      case Message.Committed committed ->
          tell(
              new PlacementEvent.Committed(
                  committed.node(),
                  committed.group(),
                  committed.attempt(),
                  committed.done(),
                  nowMs()));
      case Message.CreateGroup create ->
          tell(new PlacementEvent.Create(create.group(), create.spec(), nowMs()));
      case Message.RemoveGroup remove -> tell(new PlacementEvent.Remove(remove.group(), nowMs()));
      default -> throw new Violation("a head does not expect " + message);
    }
  }

  /** A node that comes with a new name has lost what it had under earlier ones. */
  private void lostLives(NodeId now) {
    TreeSet<NodeId> earlier = new TreeSet<>();
    for (GroupRecord record : saved.values()) {
      for (BundlePlace place : record.placed().values()) {
        if (place.node().owner() == now.owner() && place.node().number() < now.number()) {
          earlier.add(place.node());
        }
      }
    }
    earlier.forEach(node -> tell(new PlacementEvent.NodeLost(node, nowMs())));
  }

  private void prepared(Message.Prepared prepared) {
    PrepareAnswer answer = prepared.answer();
    tell(
        switch (answer) {
          case PrepareAnswer.Prepared yes ->
              new PlacementEvent.Prepared(
                  prepared.node(),
                  yes.group(),
                  prepared.indexes(),
                  yes.attempt(),
                  yes.numbers(),
                  nowMs());
          case PrepareAnswer.Refused no ->
              new PlacementEvent.Refused(
                  prepared.node(), no.group(), no.attempt(), no.reason(), no.numbers(), nowMs());
        });
  }

  // ---- the machine ------------------------------------------------------------------------------

  private void tell(PlacementEvent event) {
    events.add(event);
    if (busy) {
      return;
    }
    busy = true;
    for (PlacementEvent next = events.poll(); next != null; next = events.poll()) {
      machine.on(next, this::carryOut);
      machine.validate();
    }
    busy = false;
  }

  private void carryOut(PlacementEffect original) {
    PlacementEffect effect = world().tampering().placementEffect(original);
    world().tally().count(original);
    if (effect == null) {
      return;
    }
    switch (effect) {
      case PlacementEffect.SendPrepare send ->
          toNode(
              send.node(),
              new Message.Prepare(send.group(), send.attempt(), send.bundles(), send.holdMs()));
      case PlacementEffect.SendCommit send ->
          toNode(send.node(), new Message.Commit(send.group(), send.indexes(), send.attempt()));
      case PlacementEffect.SendCancel send ->
          toNode(
              send.node(), new Message.CancelBundles(send.group(), send.indexes(), send.attempt()));
      case PlacementEffect.SendRemove send ->
          toNode(send.node(), new Message.RemoveBundles(send.group()));
      case PlacementEffect.TellReady ready ->
          toOwner(ready.group(), new Message.GroupReady(ready.group()));
      case PlacementEffect.TellLost _ -> {}
      case PlacementEffect.TellInfeasible never ->
          toOwner(never.group(), new Message.GroupInfeasible(never.group()));
      case PlacementEffect.TellRemoved removed ->
          toOwner(removed.group(), new Message.GroupRemoved(removed.group()));
      case PlacementEffect.SetTimer timer ->
          after(
              Math.max(1, timer.atMs() - nowMs()),
              () -> tell(new PlacementEvent.Timer(timer.key(), nowMs())));
      case PlacementEffect.Save save -> saved.put(save.group().id(), save.group());
      case PlacementEffect.Erase erase -> saved.remove(erase.group());
    }
  }

  private void toNode(NodeId node, Message message) {
    Address address = Address.node((int) node.owner() - 1);
    if (node.equals(nodes.get(address))) {
      sendIfUp(address, message);
    }
  }

  private void toOwner(GroupId group, Message message) {
    sendIfUp(Address.ofOwner(group.owner()), message);
  }

  // ---- checks ---------------------------------------------------------------------------------

  @Override
  void validate() {}

  /** Returns what is left here that should not be when all is over; null for nothing. */
  @Nullable String leftover() {
    List<Object> left = new ArrayList<>(machine.groups());
    left.addAll(saved.values());
    return left.isEmpty() ? null : "the head has " + left;
  }
}
