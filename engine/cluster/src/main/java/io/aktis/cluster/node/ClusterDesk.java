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

/** The nodes of the cluster as this one knows them, and who follows them. Belongs to the loop. */
final class ClusterDesk {
  private final NodeConfig config;
  private volatile String controlAddress = "";
  private final Map<NodeId, Member> members = new LinkedHashMap<>();
  private final List<StreamObserver<ClusterChange>> watchers = new ArrayList<>();

  ClusterDesk(NodeConfig config) {
    this.config = config;
  }

  /** Returns where nodes that join find the membership; empty before it is there. Any thread. */
  String controlAddress() {
    return controlAddress;
  }

  /** Follows a membership; its calls are brought to the loop. */
  void follow(Membership membership, NodeLoop loop) {
    controlAddress = membership.controlAddress();
    membership.listen(
        new Membership.Listener() {
          @Override
          public void up(Member member) {
            loop.post(() -> ClusterDesk.this.up(member));
          }

          @Override
          public void gone(Member member) {
            loop.post(() -> ClusterDesk.this.gone(member));
          }
        });
  }

  private void up(Member member) {
    members.put(member.id(), member);
    tell(change().addUp(entry(member)));
  }

  private void gone(Member member) {
    if (members.remove(member.id()) != null) {
      tell(change().addGone(WireIds.of(member.id())));
    }
  }

  private ClusterChange.Builder change() {
    return ClusterChange.newBuilder().setSessionId(config.sessionId()).setComplete(true);
  }

  private static NodeEntry entry(Member member) {
    return NodeEntry.newBuilder()
        .setNode(WireIds.of(member.id()))
        .setAddress(member.address())
        .setMachineId(member.machineId())
        .setHead(member.head())
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

  /** Returns the members, in the order of their age. */
  List<Member> members() {
    return List.copyOf(members.values());
  }

  /** Returns the members but for this node, in the order of their age. */
  List<Member> others() {
    return members.values().stream().filter(each -> !each.id().equals(config.node())).toList();
  }

  /** Tells whether the cluster has taken this node in. */
  boolean isIn() {
    return members.containsKey(config.node());
  }

  /** Returns the head, as far as it is known. */
  @Nullable Member head() {
    for (Member member : members.values()) {
      if (member.head()) {
        return member;
      }
    }
    return null;
  }
}
