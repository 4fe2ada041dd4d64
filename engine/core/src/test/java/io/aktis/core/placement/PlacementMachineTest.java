package io.aktis.core.placement;

import static io.aktis.core.placement.PlacementStrategy.PACK;
import static io.aktis.core.placement.PlacementStrategy.STRICT_SPREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.lease.Refusal;
import io.aktis.core.placement.PlacementEffect.SendCancel;
import io.aktis.core.placement.PlacementEffect.SendCommit;
import io.aktis.core.placement.PlacementEffect.SendPrepare;
import io.aktis.core.placement.PlacementEffect.SendRemove;
import io.aktis.core.placement.PlacementEffect.SetTimer;
import io.aktis.core.placement.PlacementEffect.TellInfeasible;
import io.aktis.core.placement.PlacementEffect.TellLost;
import io.aktis.core.placement.PlacementEffect.TellReady;
import io.aktis.core.placement.PlacementEffect.TellRemoved;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.NodeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlacementMachineTest {
  private static final PlacementLimits LIMITS =
      new PlacementLimits(1_000, 5_000, 100, 400, 10, 2_000);
  private static final GroupId GROUP = new GroupId(1, 1);
  private static final GroupId OTHER = new GroupId(1, 2);
  private static final Resources TWO = Resources.cpus(2);
  private static final NodeId A = new NodeId(1, 1);
  private static final NodeId B = new NodeId(1, 2);
  private static final NodeId C = new NodeId(1, 3);

  private final PlacementMachine machine = new PlacementMachine(LIMITS);
  private final List<PlacementEffect> effects = new ArrayList<>();
  private long nowMs;

  @AfterEach
  void validate() {
    machine.validate();
  }

  /** Lets the machine take in an event; returns what it wants done, but for timers and records. */
  private List<PlacementEffect> on(PlacementEvent event) {
    effects.clear();
    machine.on(event, effects::add);
    return effects.stream()
        .filter(each -> !(each instanceof SetTimer))
        .filter(each -> !(each instanceof PlacementEffect.Save))
        .filter(each -> !(each instanceof PlacementEffect.Erase))
        .toList();
  }

  private List<TimerKey> timers() {
    return effects.stream()
        .filter(SetTimer.class::isInstance)
        .map(each -> ((SetTimer) each).key())
        .toList();
  }

  private List<PlacementEffect> timer(TimerKey.Kind kind, GroupId group, int round) {
    return on(new PlacementEvent.Timer(new TimerKey(group, kind, round), nowMs));
  }

  private List<PlacementEffect> replan() {
    List<PlacementEffect> all = new ArrayList<>();
    for (TimerKey key : timers()) {
      if (key.kind() == TimerKey.Kind.REPLAN) {
        all.addAll(on(new PlacementEvent.Timer(key, nowMs)));
      }
    }
    return all;
  }

  private void nodes(NodeId... nodes) {
    for (NodeId node : nodes) {
      on(new PlacementEvent.NodeChanged(NodeView.free(node, TWO), nowMs));
    }
  }

  private static NodeNumbers numbers(double free, long version) {
    return new NodeNumbers(TWO, Resources.cpus(free), GpuRoom.NONE, version);
  }

  private List<PlacementEffect> create(GroupId group, GroupSpec spec) {
    return on(new PlacementEvent.Create(group, spec, nowMs));
  }

  private List<PlacementEffect> prepared(NodeId node, int attempt, Integer... indexes) {
    return on(
        new PlacementEvent.Prepared(
            node, GROUP, List.of(indexes), attempt, numbers(0, attempt), nowMs));
  }

  private List<PlacementEffect> refused(NodeId node, int attempt, Refusal reason) {
    return on(new PlacementEvent.Refused(node, GROUP, attempt, reason, numbers(0, attempt), nowMs));
  }

  private List<PlacementEffect> committed(NodeId node, int attempt, boolean done) {
    return on(new PlacementEvent.Committed(node, GROUP, attempt, done, nowMs));
  }

  private SendPrepare sendPrepare(NodeId node, int attempt, int index) {
    List<Bundle> bundles = List.of(new Bundle(index, TWO));
    return new SendPrepare(node, GROUP, attempt, bundles, LIMITS.holdMs());
  }

  private static SendCancel sendCancel(NodeId node, int attempt, Integer... indexes) {
    return new SendCancel(node, GROUP, List.of(indexes), attempt);
  }

  private PlacementState state(GroupId group) {
    return machine.groups().stream()
        .filter(each -> each.id().equals(group))
        .findFirst()
        .map(GroupStatus::state)
        .orElse(PlacementState.REMOVED);
  }

  private void createOnAAndB() {
    nodes(A, B);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    prepared(A, 1, 0);
    prepared(B, 1, 1);
    committed(A, 1, true);
    committed(B, 1, true);
    assertThat(state(GROUP)).isEqualTo(PlacementState.CREATED);
  }

  @Test
  void create_roomForAll_reservesCommitsAndTells() {
    nodes(A, B);

    assertThat(create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO)))
        .containsExactly(sendPrepare(A, 1, 0), sendPrepare(B, 1, 1));
    assertThat(prepared(A, 1, 0)).isEmpty();
    assertThat(prepared(B, 1, 1))
        .containsExactly(
            new SendCommit(A, GROUP, List.of(0), 1), new SendCommit(B, GROUP, List.of(1), 1));
    assertThat(committed(B, 1, true)).isEmpty();
    assertThat(committed(A, 1, true))
        .containsExactly(new TellReady(GROUP, new TreeMap<>(Map.of(0, A, 1, B))));
  }

  @Test
  void create_repeated_tellsAgain() {
    createOnAAndB();

    assertThat(create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO)))
        .containsExactly(new TellReady(GROUP, new TreeMap<>(Map.of(0, A, 1, B))));
  }

  @Test
  void create_noRoomYet_waitsForNewsOfNodes() {
    nodes(A);
    assertThat(create(GROUP, GroupSpec.of(PACK, 1, TWO, TWO))).isEmpty();
    assertThat(state(GROUP)).isEqualTo(PlacementState.PENDING);

    nodes(B);
    assertThat(replan()).hasSize(2).allMatch(SendPrepare.class::isInstance);
  }

  @Test
  void create_infeasible_tellsAfterTheGraceAndGoesOnWaiting() {
    nodes(A);
    create(GROUP, GroupSpec.of(PACK, 1, Resources.cpus(3)));
    assertThat(timers()).containsExactly(new TimerKey(GROUP, TimerKey.Kind.GRACE, 1));

    assertThat(timer(TimerKey.Kind.GRACE, GROUP, 1))
        .containsExactly(new TellInfeasible(GROUP, "no node can hold bundle 0 of {cpu: 3}"));
    assertThat(timer(TimerKey.Kind.GRACE, GROUP, 1)).isEmpty();
    on(new PlacementEvent.NodeChanged(NodeView.free(B, Resources.cpus(4)), nowMs));
    assertThat(replan()).hasSize(1);
  }

  @Test
  void create_infeasibleForAMoment_isNotTold() {
    nodes(A);
    create(GROUP, GroupSpec.of(PACK, 1, TWO, TWO));
    nodes(B);
    replan();

    assertThat(timer(TimerKey.Kind.GRACE, GROUP, 1)).isEmpty();
  }

  @Test
  void refused_oneNode_cancelsTheOthersAndRetriesLater() {
    nodes(A, B);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    prepared(A, 1, 0);

    assertThat(refused(B, 1, Refusal.BUSY)).containsExactly(sendCancel(A, 1, 0));
    assertThat(timers()).contains(new TimerKey(GROUP, TimerKey.Kind.RETRY, 1));
    assertThat(state(GROUP)).isEqualTo(PlacementState.PENDING);
    on(new PlacementEvent.NodeChanged(NodeView.free(A, TWO).withNumbers(numbers(2, 5)), nowMs));
    on(new PlacementEvent.NodeChanged(NodeView.free(B, TWO).withNumbers(numbers(2, 5)), nowMs));
    assertThat(timer(TimerKey.Kind.RETRY, GROUP, 1)).isEmpty();
    nowMs += LIMITS.firstRetryMs();
    assertThat(timer(TimerKey.Kind.RETRY, GROUP, 1))
        .containsExactly(sendPrepare(A, 2, 0), sendPrepare(B, 2, 1));
  }

  @Test
  void refused_oldBundleThere_cancelsThat() {
    nodes(A);
    create(GROUP, GroupSpec.of(PACK, 1, TWO));

    assertThat(refused(A, 1, Refusal.OLD_BUNDLE_HERE)).containsExactly(sendCancel(A, 0, 0));
  }

  @Test
  void refused_whatWasPromisedToIt_isThereForOthers() {
    nodes(A, B);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    assertThat(create(OTHER, GroupSpec.of(PACK, 1, TWO))).isEmpty();

    refused(B, 1, Refusal.BUSY);

    assertThat(replan())
        .containsExactly(
            new SendPrepare(A, OTHER, 1, List.of(new Bundle(0, TWO)), LIMITS.holdMs()));
  }

  @Test
  void timer_answersMissing_startsOver() {
    nodes(A, B);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    prepared(A, 1, 0);

    nowMs += LIMITS.answerMs();
    assertThat(timer(TimerKey.Kind.ANSWER, GROUP, 1))
        .containsExactly(sendCancel(A, 1, 0), sendCancel(B, 1, 1));
    assertThat(prepared(B, 1, 1)).containsExactly(sendCancel(B, 1, 1));
    assertThat(timer(TimerKey.Kind.ANSWER, GROUP, 1)).isEmpty();
  }

  @Test
  void timer_commitNotAnswered_isRepeated() {
    nodes(A);
    create(GROUP, GroupSpec.of(PACK, 1, TWO));
    prepared(A, 1, 0);

    assertThat(timer(TimerKey.Kind.ANSWER, GROUP, 1))
        .containsExactly(new SendCommit(A, GROUP, List.of(0), 1));
    assertThat(timers()).containsExactly(new TimerKey(GROUP, TimerKey.Kind.ANSWER, 1));
  }

  @Test
  void committed_bundleHadExpired_startsOver() {
    nodes(A, B);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    prepared(A, 1, 0);
    prepared(B, 1, 1);
    committed(A, 1, true);

    assertThat(committed(B, 1, false)).containsExactly(sendCancel(A, 1, 0), sendCancel(B, 1, 1));
    assertThat(state(GROUP)).isEqualTo(PlacementState.PENDING);
  }

  @Test
  void remove_whileReserving_winsOverLateAnswers() {
    nodes(A, B);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    prepared(A, 1, 0);

    assertThat(on(new PlacementEvent.Remove(GROUP, nowMs)))
        .containsExactly(
            new SendRemove(A, GROUP), new SendRemove(B, GROUP), new TellRemoved(GROUP));
    assertThat(prepared(B, 1, 1)).containsExactly(new SendRemove(B, GROUP));
    assertThat(create(GROUP, GroupSpec.of(PACK, 1, TWO))).containsExactly(new TellRemoved(GROUP));
    assertThat(machine.groups()).isEmpty();
  }

  @Test
  void remove_beforeItsCreation_wins() {
    on(new PlacementEvent.Remove(GROUP, nowMs));

    assertThat(create(GROUP, GroupSpec.of(PACK, 1, TWO))).containsExactly(new TellRemoved(GROUP));
  }

  @Test
  void jobEnded_groupsOfTheJob_goButForTheDetached() {
    nodes(A, B, C);
    create(GROUP, GroupSpec.of(PACK, 1, TWO));
    create(OTHER, new GroupSpec("kept", PACK, List.of(new Bundle(0, TWO)), 1, true));
    create(new GroupId(1, 3), GroupSpec.of(PACK, 2, TWO));

    assertThat(on(new PlacementEvent.JobEnded(1, nowMs)))
        .containsExactly(new SendRemove(A, GROUP), new TellRemoved(GROUP));
    assertThat(machine.groups()).extracting(GroupStatus::id).contains(OTHER).hasSize(2);
  }

  @Test
  void nodeLost_created_placesTheLostBundlesAgainBeforeOthers() {
    createOnAAndB();
    create(OTHER, GroupSpec.of(PACK, 1, TWO));
    nodes(C);

    assertThat(on(new PlacementEvent.NodeLost(B, nowMs)))
        .containsExactly(new TellLost(GROUP, List.of(1)), sendPrepare(C, 2, 1));
    assertThat(state(OTHER)).isEqualTo(PlacementState.PENDING);
    prepared(C, 2, 1);
    assertThat(committed(C, 2, true))
        .containsExactly(new TellReady(GROUP, new TreeMap<>(Map.of(0, A, 1, C))));
  }

  @Test
  void nodeLost_whileReserving_startsOverAtOnce() {
    nodes(A, B, C);
    create(GROUP, GroupSpec.of(STRICT_SPREAD, 1, TWO, TWO));
    prepared(A, 1, 0);

    List<PlacementEffect> wanted = on(new PlacementEvent.NodeLost(B, nowMs));

    assertThat(wanted).startsWith(sendCancel(A, 1, 0));
    assertThat(state(GROUP)).isEqualTo(PlacementState.PENDING);
  }

  @Test
  void nodeLost_whileReplacing_keepsWhatLiesElsewhere() {
    createOnAAndB();
    nodes(C);
    on(new PlacementEvent.NodeLost(B, nowMs));

    on(new PlacementEvent.NodeLost(C, nowMs));

    assertThat(state(GROUP)).isEqualTo(PlacementState.RESCHEDULING);
    assertThat(machine.groups().getFirst().placed()).containsOnlyKeys(0);
    on(new PlacementEvent.NodeLost(A, nowMs));
    assertThat(machine.groups().getFirst().placed()).isEmpty();
    assertThat(state(GROUP)).isEqualTo(PlacementState.RESCHEDULING);
  }

  @Test
  void reported_whatNobodyKnows_isGivenUp() {
    createOnAAndB();
    BundleStatus known = status(GROUP, 0, 1);
    BundleStatus old = status(GROUP, 1, 1);
    BundleStatus stranger = status(OTHER, 0, 1);

    assertThat(on(new PlacementEvent.Reported(A, List.of(known, old, stranger), nowMs)))
        .containsExactly(sendCancel(A, 1, 1), new SendRemove(A, OTHER));
  }

  @Test
  void reported_bundleMissingTwice_isLost() {
    createOnAAndB();

    assertThat(on(new PlacementEvent.Reported(A, List.of(), nowMs))).isEmpty();
    on(new PlacementEvent.Reported(A, List.of(status(GROUP, 0, 1)), nowMs));
    assertThat(on(new PlacementEvent.Reported(A, List.of(), nowMs))).isEmpty();
    assertThat(on(new PlacementEvent.Reported(A, List.of(), nowMs)))
        .containsExactly(new TellLost(GROUP, List.of(0)));
  }

  private static BundleStatus status(GroupId group, int index, int attempt) {
    return new BundleStatus(new BundleId(group, index), attempt, true, TWO, TWO);
  }

  @Test
  void restored_savedGroups_goOn() {
    nodes(A);
    create(GROUP, GroupSpec.of(PACK, 1, TWO));
    prepared(A, 1, 0);
    committed(A, 1, true);
    GroupRecord created = ((PlacementEffect.Save) effects.getFirst()).group();
    create(OTHER, GroupSpec.of(PACK, 1, TWO));
    GroupRecord pending = ((PlacementEffect.Save) effects.getFirst()).group();

    PlacementMachine next = PlacementMachine.restored(LIMITS, List.of(created, pending));
    next.validate();

    assertThat(next.groups())
        .extracting(GroupStatus::state)
        .containsExactly(PlacementState.CREATED, PlacementState.PENDING);
    effects.clear();
    next.on(new PlacementEvent.NodeLost(A, 0), effects::add);
    assertThat(effects).contains(new TellLost(GROUP, List.of(0)));
    next.validate();
  }

  @Test
  void limits_wrongRelations_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PlacementLimits(1_000, 2_000, 1, 1, 1, 1))
        .withMessageContaining("3 * answerMs");
  }

  @Test
  void table_printed_hasEveryState() {
    assertThat(PlacementState.TABLE.toMermaid())
        .contains("[*] --> PENDING", "COMMITTING --> CREATED : ALL_COMMITTED", "REMOVED --> [*]");
  }
}
