package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership.Member;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.core.lease.Hungry;
import io.aktis.core.resource.Resources;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ClusterChange;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.PendingStatus;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StatusRequest;
import io.aktis.wire.message.StopReply;
import io.aktis.wire.message.StopRequest;
import io.aktis.wire.message.WatchRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;

/** Answers people and their tools: how the cluster is, and that it should end. Thread-safe. */
final class ControlEndpoint {
  private final NodeConfig config;
  private final NodeParts parts;
  private final NodeLoop loop;
  private final LeaseDesk leases;
  private final ClusterDesk cluster;
  private final Workers workers;
  private final ClusterCalls calls;
  private final LongConsumer stop;

  /**
   * Makes it.
   *
   * @param stop ends the daemon after so many milliseconds at most; returns at once
   */
  ControlEndpoint(
      NodeConfig config,
      NodeParts parts,
      NodeLoop loop,
      LeaseDesk leases,
      ClusterDesk cluster,
      Workers workers,
      LongConsumer stop) {
    this.config = config;
    this.parts = parts;
    this.loop = loop;
    this.leases = leases;
    this.cluster = cluster;
    this.workers = workers;
    this.calls = new ClusterCalls(config.credentials());
    this.stop = stop;
  }

  void watch(WatchRequest request, StreamObserver<ClusterChange> answers) {
    if (request.getVersion() != Credentials.PROTOCOL) {
      String why =
          "the caller speaks version %d of the protocol, this node version %d"
              .formatted(request.getVersion(), Credentials.PROTOCOL);
      Answers.refuse(answers, Status.FAILED_PRECONDITION, why);
      return;
    }
    ((ServerCallStreamObserver<ClusterChange>) answers)
        .setOnCancelHandler(() -> loop.post(() -> cluster.unwatch(answers)));
    loop.post(() -> cluster.watch(answers));
  }

  void health(HealthRequest request, StreamObserver<HealthReply> answers) {
    Answers.allowGone(answers);
    loop.post(() -> {
      String reason =
          leases.isStopping()
              ? "the node is stopping"
              : cluster.isIn() ? "" : "the node is joining its cluster";
      Answers.give(
          answers, HealthReply.newBuilder().setReady(reason.isEmpty()).setReason(reason).build());
    });
  }

  void stop(StopRequest request, StreamObserver<StopReply> answers) {
    Answers.allowGone(answers);
    if (!request.getSessionId().equals(config.sessionId())) {
      String why =
          "this is the cluster of session %s, not of '%s'"
              .formatted(config.sessionId(), request.getSessionId());
      Answers.refuse(answers, Status.FAILED_PRECONDITION, why);
      return;
    }
    loop.post(() -> {
      List<Member> others = request.getWholeCluster() ? cluster.others() : List.of();
      Thread.startVirtualThread(() -> {
        calls.stop(others, request);
        Answers.give(answers, StopReply.getDefaultInstance());
        stop.accept(Math.max(0, request.getGraceMs()));
      });
    });
  }

  // ---- status ---------------------------------------------------------------------------------

  void status(StatusRequest request, StreamObserver<StatusReply> answers) {
    Answers.allowGone(answers);
    loop.post(() -> {
      StatusReply own = own();
      if (request.getLocalOnly()) {
        Answers.give(answers, own);
        return;
      }
      List<Member> members = cluster.members();
      List<Member> others = cluster.others();
      Thread.startVirtualThread(() -> {
        Answers.give(answers, merge(own, members, calls.statusOf(others)));
      });
    });
  }

  private StatusReply own() {
    Member head = cluster.head();
    StatusReply.Builder reply = StatusReply.newBuilder().setSessionId(config.sessionId());
    reply.setHeadAddress(head == null ? "" : head.address());
    reply.setControlAddress(cluster.controlAddress());
    reply.setEpoch(cluster.epoch());
    reply.addNodes(
        NodeStatus.newBuilder()
            .setNode(WireIds.of(config.node()))
            .setAddress(WireForms.address(config.advertisedHost(), workers.port()))
            .setAlive(true)
            .setNumbers(leases.numbers())
            .putAllLabels(config.labels())
            .setStoreCapacityBytes(parts.store().capacityBytes())
            .setStoreUsedBytes(parts.store().usedBytes())
            .setStorePinnedBytes(parts.store().pinnedBytes())
            .setWorkers(workers.count()));
    Map<String, Integer> counts = new LinkedHashMap<>();
    Map<String, String> reasons = new LinkedHashMap<>();
    for (Hungry hungry : leases.ledger().hungry()) {
      String demand = words(hungry);
      counts.merge(demand, 1, Integer::sum);
      reasons.putIfAbsent(demand, reason(hungry));
    }
    counts.forEach((demand, count) ->
        reply.addPending(
            PendingStatus.newBuilder()
                .setDemand(demand)
                .setCount(count)
                .setReason(reasons.getOrDefault(demand, ""))));
    return reply.build();
  }

  private static String words(Hungry hungry) {
    String demand = hungry.demand().toString();
    return hungry.bundle() == null ? demand : demand + " in " + hungry.bundle();
  }

  private String reason(Hungry hungry) {
    double seconds = (loop.nowMs() - hungry.sinceMs()) / 1_000.0;
    Resources lacking = hungry.demand().toPlace().lackingIn(leases.ledger().available());
    String what =
        hungry.bundle() != null
            ? "its bundle is in use"
            : lacking.isZero() ? "the free parts are on different devices" : lacking + " is in use";
    return String.format(Locale.ROOT, "waits for %s for %.1f s: %s", config.node(), seconds, what);
  }

  /** Puts the answers of all members together, those without one as not alive. */
  private StatusReply merge(
      StatusReply own, List<Member> members, Map<Member, StatusReply> answers) {
    StatusReply.Builder all = own.toBuilder();
    Map<String, PendingStatus> pending = new LinkedHashMap<>();
    own.getPendingList().forEach(each -> pending.put(each.getDemand(), each));
    for (Member member : members) {
      StatusReply answer = answers.get(member);
      if (answer != null) {
        all.setEpoch(Math.max(all.getEpoch(), answer.getEpoch()));
        all.addAllNodes(answer.getNodesList());
        for (PendingStatus each : answer.getPendingList()) {
          // One owner asks several nodes for the same work: the largest count, not the sum.
          pending.merge(
              each.getDemand(), each, (one, two) -> one.getCount() >= two.getCount() ? one : two);
        }
      } else if (!member.id().equals(config.node())) {
        all.addNodes(
            NodeStatus.newBuilder()
                .setNode(WireIds.of(member.id()))
                .setAddress(member.address())
                .setAlive(false));
      }
    }
    return all.clearPending().addAllPending(pending.values()).build();
  }
}
