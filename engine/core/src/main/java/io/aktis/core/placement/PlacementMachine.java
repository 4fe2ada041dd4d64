package io.aktis.core.placement;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.Refusal;
import io.aktis.core.placement.PlacementEffect.Erase;
import io.aktis.core.placement.PlacementEffect.Save;
import io.aktis.core.placement.PlacementEffect.SendCancel;
import io.aktis.core.placement.PlacementEffect.SendCommit;
import io.aktis.core.placement.PlacementEffect.SendPrepare;
import io.aktis.core.placement.PlacementEffect.SendRemove;
import io.aktis.core.placement.PlacementEffect.SetTimer;
import io.aktis.core.placement.PlacementEffect.TellInfeasible;
import io.aktis.core.placement.PlacementEffect.TellLost;
import io.aktis.core.placement.PlacementEffect.TellReady;
import io.aktis.core.placement.PlacementEffect.TellRemoved;
import io.aktis.core.schedule.ClusterView;
import io.aktis.core.schedule.NodeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * All placement groups of a cluster: chooses nodes for their bundles, has the bundles set aside in
 * two phases, and has them given up again. Lives in the head and is confined to one caller at a
 * time. The states and moves of a group are {@link PlacementState#TABLE}.
 *
 * <p>An attempt asks every node at once to prepare its bundles. When all have, all are told to
 * commit; when one refuses or is silent, all are told to cancel, and the next attempt has a higher
 * number. Nothing depends on an answer arriving: a prepared bundle expires on its node, a commit is
 * repeated until it is answered, and nodes report now and then what they have, upon which whatever
 * the machine does not know is cancelled. A group that was removed is remembered for a while, so
 * that neither a late request nor a late answer brings it back.
 *
 * <p>A group whose node is lost keeps the bundles that lie elsewhere; the lost ones are planned
 * before all groups that never were ready. Groups that wait are otherwise planned in the order of
 * creation, and a small one may overtake a large one that does not fit yet.
 */
public final class PlacementMachine {
  /** How many removed groups are remembered. */
  private static final int MAX_REMOVED = 10_000;

  /** So many reports in a row must lack a bundle before it counts as lost. */
  private static final int MAX_MISSED = 2;

  private final PlacementLimits limits;
  private final LinkedHashMap<GroupId, Group> groups = new LinkedHashMap<>();
  private final LinkedHashSet<GroupId> removed = new LinkedHashSet<>();

  /** As the nodes told. */
  private ClusterView view = ClusterView.EMPTY;

  private boolean replanIsSet;
  private int replanRound;

  /** Makes a machine without groups. */
  public PlacementMachine(PlacementLimits limits) {
    this.limits = limits;
  }

  /**
   * Makes a machine that goes on where another stopped. Attempts that were under way start over;
   * the caller reports nodes as changed or lost before anything happens.
   */
  public static PlacementMachine restored(PlacementLimits limits, List<GroupRecord> saved) {
    PlacementMachine machine = new PlacementMachine(limits);
    saved.forEach(each -> machine.groups.put(each.id(), Group.restored(each)));
    return machine;
  }

  /** The time of an event and where its effects go. */
  private record Turn(long nowMs, Consumer<PlacementEffect> effects) {
    void emit(PlacementEffect effect) {
      effects.accept(effect);
    }
  }

  /** Takes in what happened; {@code effects} are to be carried out in their order. */
  public void on(PlacementEvent event, Consumer<PlacementEffect> effects) {
    Turn turn = new Turn(event.nowMs(), effects);
    switch (event) {
      case PlacementEvent.Create create -> create(create, turn);
      case PlacementEvent.Prepared prepared -> prepared(prepared, turn);
      case PlacementEvent.Refused refused -> refused(refused, turn);
      case PlacementEvent.Committed committed -> committed(committed, turn);
      case PlacementEvent.NodeChanged changed -> nodeChanged(changed.node(), turn);
      case PlacementEvent.NodeLost lost -> nodeLost(lost.node(), turn);
      case PlacementEvent.Reported reported -> reported(reported, turn);
      case PlacementEvent.Remove remove -> remove(remove.group(), turn);
      case PlacementEvent.JobEnded ended -> jobEnded(ended.job(), turn);
      case PlacementEvent.Timer timer -> timer(timer.key(), turn);
    }
  }

  private void create(PlacementEvent.Create create, Turn turn) {
    if (removed.contains(create.group())) {
      turn.emit(new TellRemoved(create.group()));
      return;
    }
    Group known = groups.get(create.group());
    if (known != null) {
      if (known.state == PlacementState.CREATED) {
        turn.emit(new TellReady(known.id, known.nodes()));
      }
      return;
    }
    Group group = new Group(create.group(), create.spec());
    groups.put(group.id, group);
    turn.emit(new Save(group.toRecord()));
    plan(group, turn);
  }

  /** Plans those that wait, the ones that lost bundles first. */
  private void planAll(Turn turn) {
    List<Group> waiting = new ArrayList<>();
    for (PlacementState state :
        new PlacementState[] {PlacementState.RESCHEDULING, PlacementState.PENDING}) {
      groups.values().stream().filter(group -> group.state == state).forEach(waiting::add);
    }
    waiting.forEach(group -> plan(group, turn));
  }

  private void plan(Group group, Turn turn) {
    if (!group.state.isWaiting() || turn.nowMs < group.retryAtMs) {
      return;
    }
    BundlePlan plan = BundlePlanner.plan(group.spec, group.nodes(), viewWithoutPromised());
    group.infeasible &= plan instanceof BundlePlan.Infeasible;
    switch (plan) {
      case BundlePlan.Found found -> reserve(group, found.nodes(), turn);
      case BundlePlan.Busy busy -> group.waitsFor = busy.reason();
      case BundlePlan.Infeasible infeasible -> infeasible(group, infeasible.reason(), turn);
    }
  }

  /** Returns the view without what nodes were asked for and have not answered. */
  private ClusterView viewWithoutPromised() {
    ClusterView left = view;
    for (Group group : groups.values()) {
      for (Map.Entry<NodeId, Group.Part> entry : group.parts.entrySet()) {
        if (!entry.getValue().prepared) {
          for (Bundle bundle : entry.getValue().bundles) {
            left = left.afterTaking(entry.getKey(), bundle.resources());
          }
        }
      }
    }
    return left;
  }

  private void infeasible(Group group, String reason, Turn turn) {
    group.waitsFor = reason;
    if (!group.infeasible) {
      group.infeasible = true;
      group.graceOver = false;
      group.graceRound++;
      setTimer(group, TimerKey.Kind.GRACE, group.graceRound, turn.nowMs + limits.graceMs(), turn);
    }
  }

  private void reserve(Group group, SortedMap<Integer, NodeId> nodes, Turn turn) {
    group.attempt++;
    nodes.forEach((index, node) ->
        group
            .parts
            .computeIfAbsent(node, ignored -> new Group.Part())
            .bundles
            .add(group.spec.bundles().get(index)));
    group.step(PlacementStep.PLAN_FOUND);
    group.waitsFor = "nodes set its bundles aside";
    turn.emit(new Save(group.toRecord()));
    group.parts.forEach((node, part) ->
        turn.emit(
            new SendPrepare(
                node, group.id, group.attempt, List.copyOf(part.bundles), limits.holdMs())));
    setTimer(group, TimerKey.Kind.ANSWER, group.attempt, turn.nowMs + limits.answerMs(), turn);
  }

  private static void setTimer(Group group, TimerKey.Kind kind, int round, long atMs, Turn turn) {
    turn.emit(new SetTimer(new TimerKey(group.id, kind, round), atMs));
  }

  private void prepared(PlacementEvent.Prepared prepared, Turn turn) {
    view = view.withNumbers(prepared.node(), prepared.numbers());
    Group group = groups.get(prepared.group());
    if (group == null) {
      turn.emit(new SendRemove(prepared.node(), prepared.group()));
      return;
    }
    Group.Part part = group.part(prepared.node(), prepared.attempt());
    if (part == null) {
      cancelLate(group, prepared, turn);
    } else if (group.state == PlacementState.RESERVING) {
      part.prepared = true;
      if (group.parts.values().stream().allMatch(each -> each.prepared)) {
        group.step(PlacementStep.ALL_PREPARED);
        sendCommits(group, turn);
      }
    }
  }

  /** Gives up bundles that an attempt brought which was given up itself. */
  private static void cancelLate(Group group, PlacementEvent.Prepared late, Turn turn) {
    List<Integer> unwanted =
        late.indexes().stream()
            .filter(index -> !group.isAt(index, late.node(), late.attempt()))
            .toList();
    if (!unwanted.isEmpty()) {
      turn.emit(new SendCancel(late.node(), group.id, unwanted, late.attempt()));
    }
  }

  private static void sendCommits(Group group, Turn turn) {
    group.parts.forEach((node, part) -> {
      if (!part.committed) {
        turn.emit(new SendCommit(node, group.id, part.indexes(), group.attempt));
      }
    });
  }

  private void refused(PlacementEvent.Refused refused, Turn turn) {
    view = view.withNumbers(refused.node(), refused.numbers());
    Group group = groups.get(refused.group());
    Group.Part part = group == null ? null : group.part(refused.node(), refused.attempt());
    if (group == null || part == null || group.state != PlacementState.RESERVING) {
      return;
    }
    if (refused.reason() == Refusal.OLD_BUNDLE_HERE) {
      turn.emit(new SendCancel(refused.node(), group.id, part.indexes(), refused.attempt() - 1));
    }
    group.parts.remove(refused.node());
    giveUpAttempt(group, turn);
    retryLater(group, turn);
  }

  /** Takes back what the attempt under way asked of the nodes. */
  private void giveUpAttempt(Group group, Turn turn) {
    group.parts.forEach(
        (node, part) -> turn.emit(new SendCancel(node, group.id, part.indexes(), group.attempt)));
    group.parts.clear();
    group.step(group.created ? PlacementStep.PLACE_REST_AGAIN : PlacementStep.START_OVER);
    replanSoon(turn);
  }

  private void retryLater(Group group, Turn turn) {
    long wait = limits.firstRetryMs() << Math.min(group.failures, 20);
    group.failures++;
    group.waitsFor = "the last attempt failed";
    group.retryAtMs = turn.nowMs + Math.min(wait, limits.lastRetryMs());
    setTimer(group, TimerKey.Kind.RETRY, group.attempt, group.retryAtMs, turn);
  }

  private void committed(PlacementEvent.Committed committed, Turn turn) {
    Group group = groups.get(committed.group());
    if (group == null) {
      turn.emit(new SendRemove(committed.node(), committed.group()));
      return;
    }
    Group.Part part = group.part(committed.node(), committed.attempt());
    if (part == null || group.state != PlacementState.COMMITTING) {
      return;
    }
    if (!committed.done()) {
      giveUpAttempt(group, turn);
      retryLater(group, turn);
      return;
    }
    part.committed = true;
    if (group.parts.values().stream().allMatch(each -> each.committed)) {
      ready(group, turn);
    }
  }

  private static void ready(Group group, Turn turn) {
    group.parts.forEach((node, part) -> {
      for (int index : part.indexes()) {
        group.placed.put(index, new BundlePlace(node, group.attempt));
      }
    });
    group.parts.clear();
    group.missed.clear();
    group.created = true;
    group.failures = 0;
    group.waitsFor = "";
    group.step(PlacementStep.ALL_COMMITTED);
    turn.emit(new Save(group.toRecord()));
    turn.emit(new TellReady(group.id, group.nodes()));
  }

  private void nodeChanged(NodeView node, Turn turn) {
    NodeView known = view.node(node.id());
    boolean older = known != null && known.numbers().version() > node.numbers().version();
    view = view.with(known != null && older ? node.withNumbers(known.numbers()) : node);
    replanSoon(turn);
  }

  /** Plans those that wait in a moment: news of nodes come in swarms. */
  private void replanSoon(Turn turn) {
    if (!replanIsSet && groups.values().stream().anyMatch(group -> group.state.isWaiting())) {
      replanIsSet = true;
      replanRound++;
      TimerKey key = new TimerKey(null, TimerKey.Kind.REPLAN, replanRound);
      turn.emit(new SetTimer(key, turn.nowMs + limits.replanMs()));
    }
  }

  private void nodeLost(NodeId node, Turn turn) {
    view = view.without(node);
    for (Group group : groups.values()) {
      boolean asked = group.parts.remove(node) != null;
      List<Integer> lost = group.indexesOn(node);
      if (group.state.isInFlight() && (asked || !lost.isEmpty())) {
        giveUpAttempt(group, turn);
      }
      loseBundles(group, lost, turn);
    }
    planAll(turn);
  }

  private static void loseBundles(Group group, List<Integer> lost, Turn turn) {
    if (!lost.isEmpty()) {
      group.placed.keySet().removeAll(lost);
      group.missed.keySet().removeAll(lost);
      group.retryAtMs = turn.nowMs;
      group.waitsFor = "its bundles " + lost + " were lost with their node";
      group.step(PlacementStep.BUNDLES_LOST);
      turn.emit(new Save(group.toRecord()));
      turn.emit(new TellLost(group.id, lost));
    }
  }

  /** Compares what a node has with what it should have. */
  private void reported(PlacementEvent.Reported reported, Turn turn) {
    LinkedHashMap<BundleId, BundleStatus> there = new LinkedHashMap<>();
    TreeSet<GroupId> unknown = new TreeSet<>();
    for (BundleStatus bundle : reported.bundles()) {
      there.put(bundle.id(), bundle);
      Group group = groups.get(bundle.id().group());
      if (group == null) {
        unknown.add(bundle.id().group());
      } else if (!isExpected(group, reported.node(), bundle)) {
        List<Integer> index = List.of(bundle.id().index());
        turn.emit(new SendCancel(reported.node(), group.id, index, bundle.attempt()));
      }
    }
    unknown.forEach(group -> turn.emit(new SendRemove(reported.node(), group)));
    for (Group group : groups.values()) {
      if (!group.state.isInFlight()) {
        loseBundles(group, notReported(group, reported.node(), there), turn);
      }
    }
    replanSoon(turn);
  }

  private static boolean isExpected(Group group, NodeId node, BundleStatus bundle) {
    int index = bundle.id().index();
    Group.Part part = group.part(node, bundle.attempt());
    return group.isAt(index, node, bundle.attempt())
        || part != null && part.indexes().contains(index);
  }

  private static List<Integer> notReported(
      Group group, NodeId node, Map<BundleId, BundleStatus> there) {
    List<Integer> lost = new ArrayList<>();
    for (int index : group.indexesOn(node)) {
      BundleStatus bundle = there.get(new BundleId(group.id, index));
      if (bundle != null && group.isAt(index, node, bundle.attempt())) {
        group.missed.remove(index);
      } else if (group.missed.merge(index, 1, Integer::sum) >= MAX_MISSED) {
        lost.add(index);
      }
    }
    return lost;
  }

  private void remove(GroupId id, Turn turn) {
    removed.add(id);
    if (removed.size() > MAX_REMOVED) {
      removed.removeFirst();
    }
    Group group = groups.remove(id);
    if (group != null) {
      TreeSet<NodeId> nodes = new TreeSet<>(group.parts.keySet());
      nodes.addAll(group.nodes().values());
      group.step(PlacementStep.REMOVE);
      turn.emit(new Erase(id));
      nodes.forEach(node -> turn.emit(new SendRemove(node, id)));
      replanSoon(turn);
    }
    turn.emit(new TellRemoved(id));
  }

  private void jobEnded(long job, Turn turn) {
    List<Group> over =
        groups.values().stream()
            .filter(group -> group.spec.job() == job && !group.spec.detached())
            .toList();
    over.forEach(group -> remove(group.id, turn));
  }

  private void timer(TimerKey key, Turn turn) {
    if (key.kind() == TimerKey.Kind.REPLAN) {
      if (key.round() == replanRound) {
        replanIsSet = false;
        planAll(turn);
      }
      return;
    }
    Group group = key.group() == null ? null : groups.get(key.group());
    if (group == null) {
      return;
    }
    switch (key.kind()) {
      case ANSWER -> answersAreDue(group, key.round(), turn);
      case RETRY -> plan(group, turn);
      case GRACE -> graceIsOver(group, key.round(), turn);
      case REPLAN -> {}
    }
  }

  private void answersAreDue(Group group, int attempt, Turn turn) {
    if (attempt != group.attempt) {
      return;
    }
    if (group.state == PlacementState.RESERVING) {
      giveUpAttempt(group, turn);
      retryLater(group, turn);
    } else if (group.state == PlacementState.COMMITTING) {
      sendCommits(group, turn);
      setTimer(group, TimerKey.Kind.ANSWER, attempt, turn.nowMs + limits.answerMs(), turn);
    }
  }

  private static void graceIsOver(Group group, int round, Turn turn) {
    if (round == group.graceRound && group.infeasible && !group.graceOver) {
      group.graceOver = true;
      turn.emit(new TellInfeasible(group.id, group.waitsFor));
    }
  }

  /** Returns all groups, in the order of creation. */
  public List<GroupStatus> groups() {
    return groups.values().stream().map(Group::toStatus).toList();
  }

  /** Tells whether some group waits for room. */
  public boolean anyWaits() {
    for (Group group : groups.values()) {
      if (group.state.isWaiting()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the nodes as they told. */
  public ClusterView view() {
    return view;
  }

  /** Checks every rule of the machine; for tests and diagnosis. */
  public void validate() {
    groups.values().forEach(Group::validate);
  }
}
