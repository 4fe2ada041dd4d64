package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership;
import io.aktis.cluster.membership.Membership.Member;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ClusterChange;
import io.aktis.wire.message.NodeEntry;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the cluster as this one knows them, which of them is the head, and who follows all
 * that. Belongs to the loop.
 *
 * <p>The head is the oldest member of those that can be it, which all members see in the same way,
 * sooner or later. Whether this node <em>serves</em> as the head is another thing: it does so only
 * when the control store is its own as well, see {@link HeadDesk}.
 */
final class ClusterDesk {
  private final NodeConfig config;
  private volatile String controlAddress = "";
  private final Map<NodeId, Member> members = new LinkedHashMap<>();
  private final List<StreamObserver<ClusterChange>> watchers = new ArrayList<>();
  private final List<Runnable> listeners = new ArrayList<>();
  private @Nullable Membership membership;
  private @Nullable Member head;
  private long epoch;

  ClusterDesk(NodeConfig config) {
    this.config = config;
  }

  /** Returns where nodes that join find the membership; empty before it is there. Any thread. */
  String controlAddress() {
    return controlAddress;
  }

  /** Follows a membership; its calls are brought to the loop. Any thread. */
  void follow(Membership joined, NodeLoop loop) {
    controlAddress = joined.controlAddress();
    loop.post(() -> membership = joined);
    joined.listen(
        new Membership.Listener() {
          @Override
          public void up(Member member) {
            loop.post(() -> ClusterDesk.this.up(member));
          }

          @Override
          public void gone(Member member) {
            loop.post(() -> ClusterDesk.this.gone(member));
          }

          @Override
          public void ordered() {
            loop.post(ClusterDesk.this::changed);
          }
        });
  }

  /** Has something done on the loop after each change of the members, or of their order. */
  void listen(Runnable listener) {
    listeners.add(listener);
  }

  private void up(Member member) {
    members.put(member.id(), member);
    tell(change().addUp(entry(member)));
    changed();
  }

  private void gone(Member member) {
    if (members.remove(member.id()) != null) {
      tell(change().addGone(WireIds.of(member.id())));
      changed();
    }
  }

  /** Those who follow are told of the head by its entry, again when that has changed. */
  private void changed() {
    Member before = head;
    head = oldestCandidate();
    if (before != null && !before.equals(head) && members.containsKey(before.id())) {
      tell(change().addUp(entry(before)));
    }
    if (head != null && !head.equals(before)) {
      tell(change().addUp(entry(head)));
    }
    List.copyOf(listeners).forEach(Runnable::run);
  }

  private @Nullable Member oldestCandidate() {
    List<Member> byAge = membership == null ? List.of() : membership.members();
    for (Member member : byAge) {
      if (member.candidate() && members.containsKey(member.id())) {
        return member;
      }
    }
    return null;
  }

  private ClusterChange.Builder change() {
    return ClusterChange.newBuilder().setSessionId(config.sessionId()).setComplete(true);
  }

  private NodeEntry entry(Member member) {
    return NodeEntry.newBuilder()
        .setNode(WireIds.of(member.id()))
        .setAddress(member.address())
        .setMachineId(member.machineId())
        .setHead(member.equals(head))
        .build();
  }

  private void tell(ClusterChange.Builder change) {
    ClusterChange message = change.build();
    watchers.forEach(watcher -> watcher.onNext(message));
  }

  void watch(StreamObserver<ClusterChange> watcher) {
    ClusterChange.Builder all = change();
    members.values().forEach(member -> all.addUp(entry(member)));
    watcher.onNext(all.build());
    watchers.add(watcher);
  }

  void unwatch(StreamObserver<ClusterChange> watcher) {
    watchers.remove(watcher);
  }

  /** Returns the members, in the order in which this node heard of them. */
  List<Member> members() {
    return List.copyOf(members.values());
  }

  /** Returns the members but for this node. */
  List<Member> others() {
    return members.values().stream().filter(each -> !each.id().equals(config.node())).toList();
  }

  /** Tells whether the cluster has taken this node in. */
  boolean isIn() {
    return members.containsKey(config.node());
  }

  // ---- the head -------------------------------------------------------------------------------

  /** Returns the member that is the head, or is about to be; null when none can be it. */
  @Nullable Member head() {
    return head;
  }

  /** Tells whether the members have this node as their head, serving or not. */
  boolean isChosen() {
    return head != null && head.id().equals(config.node());
  }

  /** Tells whether this node serves as the head. */
  boolean isHead() {
    return epoch > 0;
  }

  /** Returns the epoch in which this node serves as the head; 0 when it does not. */
  long epoch() {
    return epoch;
  }

  /** Takes note that this node serves as the head of an epoch from now on; of 0, not any more. */
  void serves(long of) {
    epoch = of;
  }
}
