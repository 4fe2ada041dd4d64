package io.aktis.runtime.session;

import io.aktis.ActorDiedException;
import io.aktis.PlacementGroupRemovedException;
import io.aktis.PlacementStrategy;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.CreateGroup;
import io.aktis.wire.message.GroupDescription;
import io.aktis.wire.message.GroupGone;
import io.aktis.wire.message.JobMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The placement groups of other jobs as this one uses them. Their owner reserves, places and
 * removes them; this job asks nodes for leases in their bundles, and hears when they are gone.
 *
 * <p>Callers wait in their own thread; all else is confined to the owner's loop.
 */
final class ForeignGroups {
  private final OwnerKernel kernel;
  private final JobRequests requests;
  private final Loans loans;
  private final Map<GroupId, Group> groups = new ConcurrentHashMap<>();

  ForeignGroups(OwnerKernel kernel, JobRequests requests, Loans loans) {
    this.kernel = kernel;
    this.requests = requests;
    this.loans = loans;
  }

  // ---- any thread -----------------------------------------------------------------------------

  /**
   * Returns a group of another owner, which is used from now on; waits for its description.
   *
   * @throws PlacementGroupRemovedException when it is gone
   */
  Group use(long owner, GroupId id) {
    Group known = groups.get(id);
    if (known != null) {
      return known;
    }
    try {
      return entered(owner, JobMessage.newBuilder().setUseGroup(WireIds.of(id)));
    } catch (ActorDiedException e) {
      throw new PlacementGroupRemovedException(
          "The job that made " + id + " has ended.", e, List.of());
    }
  }

  /**
   * Has a group made by who keeps what outlives this job.
   *
   * @throws IllegalArgumentException when its name is taken
   * @throws ActorDiedException when that job has ended
   */
  Group create(long keeper, CreateGroup create) {
    return entered(keeper, JobMessage.newBuilder().setCreateGroup(create));
  }

  /** The group is entered with the answer: word of its end may come right behind. */
  private Group entered(long owner, JobMessage.Builder question) {
    CompletableFuture<Group> entered = new CompletableFuture<>();
    Waits waits = kernel.session().waits();
    kernel.onLoop(() ->
        requests.request(
            owner,
            question,
            answer -> {
              if (answer.hasRefused()) {
                entered.completeExceptionally(Refusals.exception(answer.getRefused(), waits));
              } else {
                entered.complete(enter(owner, answer.getGroup()));
              }
            },
            failure -> entered.completeExceptionally(waits.exception(failure))));
    return waits.answer(entered);
  }

  /** Returns a group that is used, {@code null} when there is none of that id. */
  @Nullable Group known(GroupId id) {
    return groups.get(id);
  }

  /** Returns the nodes of the bundles of a group in their order, empty before it is ready. */
  List<String> nodeIds(Group group) {
    try {
      JobMessage answer =
          requests.ask(group.owner(), message -> message.setUseGroup(WireIds.of(group.groupId())));
      return List.copyOf(answer.getGroup().getNodeIdsList());
    } catch (PlacementGroupRemovedException | ActorDiedException e) {
      Log.LOG.debug("Placement group {} is gone.", group, e);
      return group.placedOn();
    }
  }

  /** Removes a group; returns when its owner has given up its bundles. */
  void remove(Group group) {
    try {
      requests.ask(group.owner(), message -> message.setRemoveGroup(WireIds.of(group.groupId())));
    } catch (ActorDiedException e) {
      Log.LOG.debug("The owner of placement group {} has ended, and the group too.", group, e);
    }
  }

  // ---- the loop -------------------------------------------------------------------------------

  private Group enter(long owner, GroupDescription description) {
    GroupId id = WireIds.group(description.getGroup());
    Group known = groups.get(id);
    if (known != null) {
      return known;
    }
    Group group =
        new Group(
            kernel,
            id,
            description.getName(),
            PlacementStrategy.valueOf(description.getStrategy()),
            description.getBundlesList().stream().map(WorkerGroups::bundle).toList(),
            Cell.of(kernel.nextId().result(0)),
            owner);
    groups.put(id, group);
    for (NodePort node : kernel.nodes()) {
      if (node instanceof RemoteNode remote && remote.isAlive()) {
        remote.useGroup(id);
      }
    }
    followReady(group);
    return group;
  }

  private void followReady(Group group) {
    requests.request(
        group.owner(),
        JobMessage.newBuilder().setGroupReady(WireIds.of(group.groupId())),
        answer -> ready(group, answer),
        failure -> {}); // the link is lost: the group is gone, or is followed again
  }

  private void ready(Group group, JobMessage answer) {
    if (group.readyCell().outcome() != null) {
      return;
    }
    Outcome outcome =
        answer.hasRefused()
            ? Refusals.failure(answer.getRefused())
            : loans.outcome(group.owner(), group.readyCell().object().id(), answer.getOutcome());
    kernel.groups().settle(group, outcome);
  }

  /** The owner of a group says that it, or some of its bundles, will never be there again. */
  void gone(GroupGone gone) {
    Group group = groups.get(WireIds.group(gone.getGroup()));
    if (group == null) {
      return;
    }
    Outcome.Failure failure = kernel.wire().failure(gone.getFailure());
    if (gone.getBundlesCount() == 0) {
      removed(group, failure);
      return;
    }
    for (int bundle : gone.getBundlesList()) {
      kernel.follow(new OwnerEvent.GroupGone(new BundleId(group.groupId(), bundle), failure));
    }
  }

  private void removed(Group group, Outcome.Failure failure) {
    groups.remove(group.groupId());
    kernel.groups().end(group, failure);
  }

  /** Another owner is gone, or has forgotten who uses its groups. */
  void lost(long owner, boolean ended) {
    for (Group group : List.copyOf(groups.values())) {
      if (group.owner() != owner) {
        continue;
      }
      if (ended) {
        removed(group, ownerEnded(group));
      } else {
        kernel.onLoop(() -> useAgain(group)); // not now: who is told of the loss may be asked next
      }
    }
  }

  private static Outcome.Failure ownerEnded(Group group) {
    return Outcome.Failure.of(
        FailureKind.GROUP_REMOVED,
        "Placement group " + group.groupId() + " is gone with the job that made it.");
  }

  private void useAgain(Group group) {
    if (!groups.containsKey(group.groupId())) {
      return;
    }
    requests.request(
        group.owner(),
        JobMessage.newBuilder().setUseGroup(WireIds.of(group.groupId())),
        answer -> {
          if (answer.hasRefused()) {
            removed(group, Refusals.failure(answer.getRefused()));
          }
        },
        failure -> {}); // lost once more, of which this is told as well
    if (group.readyCell().outcome() == null) {
      followReady(group);
    }
  }

  /** A node has come: it is to report the bundles that are used. */
  void nodeUp(RemoteNode node) {
    groups.keySet().forEach(node::useGroup);
  }
}
