package io.aktis.cluster.session;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcFailure;
import io.aktis.wire.message.CollectRequest;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.MemoryRequest;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StatusRequest;
import io.aktis.wire.message.StopRequest;
import io.aktis.wire.message.WhyReply;
import io.aktis.wire.message.WhyRequest;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;

/**
 * Asks a node what people ask. Methods wait for the answer and say in words why there is none.
 * Thread-safe; whoever opens it closes it.
 */
public final class ClusterClient implements AutoCloseable {
  private static final long TIMEOUT_MS = 5_000;

  private final RpcChannel channel;

  private ClusterClient(RpcChannel channel) {
    this.channel = channel;
  }

  /** Opens a connection; the first question shows whether somebody is there. */
  public static ClusterClient open(ClusterAccess access) {
    return new ClusterClient(RpcChannel.open(access.address().toString(), access.credentials("")));
  }

  /**
   * Asks how the cluster is.
   *
   * @param localOnly of the asked node alone
   * @throws IllegalStateException when there is no answer; the message says why
   */
  public StatusReply status(boolean localOnly) {
    return status(localOnly, TIMEOUT_MS);
  }

  /** Asks as {@link #status(boolean)} does, with a time limit of one's own. */
  public StatusReply status(boolean localOnly, long timeoutMs) {
    return ask(
        Methods.STATUS, StatusRequest.newBuilder().setLocalOnly(localOnly).build(), timeoutMs);
  }

  /**
   * Asks whether the node can take work.
   *
   * @throws IllegalStateException when there is no answer; the message says why
   */
  public HealthReply health() {
    return ask(Methods.HEALTH, HealthRequest.getDefaultInstance(), TIMEOUT_MS);
  }

  /**
   * Asks what is in the stores of the cluster, and who holds it.
   *
   * @param maxObjects how many of each node, the largest; the sums are of all
   * @throws IllegalStateException when there is no answer; the message says why
   */
  public MemoryReply memory(int maxObjects) {
    return ask(
        Methods.DESCRIBE_MEMORY,
        MemoryRequest.newBuilder().setMaxObjects(maxObjects).build(),
        2 * TIMEOUT_MS);
  }

  /**
   * Asks why something is not done yet.
   *
   * @param id of a task, a value, an actor or a placement group, as people see it
   * @throws IllegalStateException when there is no answer; the message says why
   */
  public WhyReply why(String id) {
    return ask(Methods.WHY, WhyRequest.newBuilder().setId(id).build(), 2 * TIMEOUT_MS);
  }

  /**
   * Has the JVMs of all jobs collect garbage; returns when they were asked.
   *
   * @return how many jobs were asked; one on several nodes counts on each
   * @throws IllegalStateException when there is no answer; the message says why
   */
  public int collectGarbage() {
    return ask(Methods.COLLECT, CollectRequest.getDefaultInstance(), TIMEOUT_MS).getJobs();
  }

  /**
   * Tells the node to end; returns when it has heard.
   *
   * @param graceMs how long what runs there may take to end
   * @throws IllegalStateException when there is no answer; the message says why
   */
  public void stop(String sessionId, long graceMs, long timeoutMs) {
    StopRequest request =
        StopRequest.newBuilder().setSessionId(sessionId).setGraceMs(graceMs).build();
    ask(Methods.STOP, request, timeoutMs);
  }

  private <Q, A> A ask(MethodDescriptor<Q, A> method, Q question, long timeoutMs) {
    try {
      return ClientCalls.blockingUnaryCall(channel.call(method, timeoutMs), question);
    } catch (StatusRuntimeException e) {
      throw new IllegalStateException(reason(e, timeoutMs), e);
    }
  }

  private String reason(StatusRuntimeException e, long timeoutMs) {
    return e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED
        ? channel.address() + " does not answer within " + timeoutMs / 1e3 + " s"
        : RpcFailure.describe(channel.address(), e);
  }

  @Override
  public void close() {
    channel.close();
    RpcChannel.awaitClosed();
  }
}
