package io.aktis.runtime.session;

import io.aktis.PlacementGroupRemovedException;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.owner.Outcome;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.CreateGroup;
import io.aktis.wire.message.GroupGone;
import io.aktis.wire.message.JobMessage;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Other jobs that use the placement groups of this one. Confined to the owner's loop. */
final class GroupUsers {
  private final OwnerKernel kernel;
  private final JobReplies replies;
  private final Map<GroupId, Set<Long>> users = new HashMap<>();

  GroupUsers(OwnerKernel kernel, JobReplies replies) {
    this.kernel = kernel;
    this.replies = replies;
  }

  // ---- what they ask --------------------------------------------------------------------------

  /** Another owner wants to use a group. */
  void use(long owner, long number, GroupId id) {
    replies.now(owner, number, () -> used(owner, living(id)));
  }

  private JobMessage.Builder used(long owner, Group group) {
    users.computeIfAbsent(group.groupId(), ignored -> new LinkedHashSet<>()).add(owner);
    return JobMessage.newBuilder()
        .setGroup(group.description().clearReady().addAllNodeIds(group.placedOn()));
  }

  private Group living(GroupId id) {
    Group group = kernel.groups().known(id);
    if (group == null || group.isForeign() || group.isRemoved()) {
      throw new PlacementGroupRemovedException("Placement group " + id + " was removed.");
    }
    return group;
  }

  /** Another owner wants to be told when a group is ready; answered with its outcome. */
  void ready(long owner, long number, GroupId id) {
    try {
      living(id)
          .readyCell()
          .whenSettled(
              new Cell.Waiter(cell -> kernel.onLoop(() -> answerReady(owner, number, cell))));
    } catch (PlacementGroupRemovedException e) {
      replies.refuse(owner, number, e);
    }
  }

  private void answerReady(long owner, long number, Cell cell) {
    Outcome outcome = cell.outcome();
    if (outcome != null) {
      replies.now(
          owner, number, () -> JobMessage.newBuilder().setOutcome(kernel.wire().message(outcome)));
    }
  }

  /** Another owner wants a group removed; answered when its resources are free. */
  void remove(long owner, long number, GroupId id) {
    replies.later(
        owner,
        number,
        () -> {
          Group group = kernel.groups().known(id);
          if (group != null && !group.isForeign()) {
            kernel.groups().remove(group);
          }
          return JobReplies.done(true);
        });
  }

  /** Another owner wants a group made that outlives it. */
  void create(long owner, long number, CreateGroup create) {
    replies.later(
        owner,
        number,
        () -> {
          if (!kernel.otherJobs().isKeeper()) {
            throw new IllegalStateException("this job makes no placement groups for others");
          }
          try {
            Group group = kernel.groups().create(create, false);
            return kernel.ask(() -> used(owner, living(group.groupId())));
          } finally {
            kernel.otherJobs().wasAsked();
          }
        });
  }

  // ---- what they are told ---------------------------------------------------------------------

  /** A group is removed: tells who uses it. */
  void removed(GroupId id, Outcome.Failure failure) {
    tell(id, List.of(), failure);
    users.remove(id);
  }

  /** Some bundles will never be placed: tells who uses them. */
  void infeasible(GroupId id, List<BundleId> bundles, Outcome.Failure failure) {
    tell(id, bundles.stream().map(BundleId::index).toList(), failure);
  }

  private void tell(GroupId id, List<Integer> bundles, Outcome.Failure failure) {
    Set<Long> owners = users.getOrDefault(id, Set.of());
    if (!owners.isEmpty()) {
      GroupGone.Builder gone =
          GroupGone.newBuilder()
              .setGroup(WireIds.of(id))
              .addAllBundles(bundles)
              .setFailure(kernel.wire().message(failure));
      owners.forEach(owner -> replies.tell(owner, JobMessage.newBuilder().setGroupGone(gone)));
    }
  }

  /** Another owner is gone, or has begun anew. */
  void lost(long owner) {
    users.values().forEach(owners -> owners.remove(owner));
    users.values().removeIf(Set::isEmpty);
  }
}
