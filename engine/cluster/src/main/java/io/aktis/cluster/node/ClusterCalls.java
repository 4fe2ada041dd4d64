package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership.Member;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.wire.message.CollectReply;
import io.aktis.wire.message.CollectRequest;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.MemoryRequest;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StatusRequest;
import io.aktis.wire.message.StopReply;
import io.aktis.wire.message.StopRequest;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the other nodes of the cluster. Its methods wait; thread-safe. */
final class ClusterCalls {
  static final long STATUS_TIMEOUT_MS = 2_000;
  private static final long MEMORY_TIMEOUT_MS = 2 * STATUS_TIMEOUT_MS; // it asks owners itself
  private static final long STOP_TIMEOUT_MS = 10_000;
  private static final Logger LOG = LoggerFactory.getLogger(ClusterCalls.class);

  private final Credentials credentials;

  ClusterCalls(Credentials credentials) {
    this.credentials = credentials;
  }

  /** Asks members for their status, all at once; those that do not answer are left out. */
  Map<Member, StatusReply> statusOf(List<Member> members) {
    StatusRequest question = StatusRequest.newBuilder().setLocalOnly(true).build();
    return ask(members, Methods.STATUS, question, STATUS_TIMEOUT_MS);
  }

  /** Has members stop, all at once; those that do not answer have stopped or are beyond help. */
  void stop(List<Member> members, StopRequest request) {
    StopRequest question = request.toBuilder().setWholeCluster(false).build();
    Map<Member, StopReply> answers = ask(members, Methods.STOP, question, STOP_TIMEOUT_MS);
    for (Member member : members) {
      if (!answers.containsKey(member)) {
        LOG.warn(
            "node {} at {} was asked to stop and has not answered", member.id(), member.address());
      }
    }
  }

  /** Asks members what is in their stores; those that do not answer are left out. */
  Map<Member, MemoryReply> memoryOf(List<Member> members, MemoryRequest request) {
    MemoryRequest question = request.toBuilder().setLocalOnly(true).build();
    return ask(members, Methods.DESCRIBE_MEMORY, question, MEMORY_TIMEOUT_MS);
  }

  /** Has the jobs of members collect garbage; those that do not answer are left out. */
  Map<Member, CollectReply> collect(List<Member> members) {
    CollectRequest question = CollectRequest.newBuilder().setLocalOnly(true).build();
    return ask(members, Methods.COLLECT, question, STATUS_TIMEOUT_MS);
  }

  private <Q, A> Map<Member, A> ask(
      List<Member> members, MethodDescriptor<Q, A> method, Q question, long timeoutMs) {
    Map<Member, CompletableFuture<A>> asked = new LinkedHashMap<>();
    for (Member member : members) {
      CompletableFuture<A> answer = new CompletableFuture<>();
      asked.put(member, answer);
      Thread.startVirtualThread(() -> ask(member, method, question, timeoutMs, answer));
    }
    Map<Member, A> answers = new LinkedHashMap<>();
    asked.forEach((member, answer) -> {
      A reply = answer.join();
      if (reply != null) {
        answers.put(member, reply);
      }
    });
    return answers;
  }

  /** Completes the answer in any case: with null when there is none. */
  @SuppressWarnings("NullAway") // a future of nothing is completed with null
  private <Q, A> void ask(
      Member member,
      MethodDescriptor<Q, A> method,
      Q question,
      long timeoutMs,
      CompletableFuture<A> answer) {
    A reply = null;
    try (RpcChannel channel = RpcChannel.open(member.address(), credentials)) {
      reply = ClientCalls.blockingUnaryCall(channel.call(method, timeoutMs), question);
    } catch (StatusRuntimeException e) {
      LOG.debug("node {} does not answer: {}", member.id(), e.getStatus());
    } finally {
      answer.complete(reply);
    }
  }
}
