package io.aktis.cluster.session;

import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.code.CodeUpload;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcFailure;
import io.aktis.wire.message.GetJob;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.ListJobs;
import io.aktis.wire.message.ReadJobLog;
import io.aktis.wire.message.StopJobs;
import io.aktis.wire.message.SubmitJob;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Submits programs to the head of a cluster, and asks it about them. Methods wait for the answer;
 * an {@link IllegalStateException} says in words why there is none, or what the head does not want.
 * Thread-safe; whoever opens it closes it.
 */
public final class JobClient implements AutoCloseable {
  private static final long TIMEOUT_MS = 10_000;

  /** What it takes at most, after its grace, until nothing of a job that was killed is left. */
  private static final long BURIAL_MS = 4_000;

  private static final long LOG_WAIT_MS = 10_000;

  /** How long to look for a head when no node names one. */
  private static final long GONE_MS = 5_000;

  /** How long it takes at most until another node is the head, and some more. */
  private static final long MOVE_MS = 45_000;

  private static final long TRY_AGAIN_MS = 200;

  private final HeadFinder finder;
  private final AtomicBoolean isFollowing = new AtomicBoolean();

  /** To the head; another one when that has moved. */
  private volatile RpcChannel channel;

  private JobClient(HeadFinder finder, HeadFinder.Head head) {
    this.finder = finder;
    this.channel = channelTo(head);
  }

  private static RpcChannel channelTo(HeadFinder.Head head) {
    ClusterAccess access = head.access();
    return RpcChannel.open(access.address().toString(), access.credentials(head.sessionId()));
  }

  /**
   * Opens a connection to the head of a cluster; waits for it when it is about to move.
   *
   * @param access of any node of the cluster
   * @throws IllegalStateException when that node cannot be asked, or knows no head
   */
  public static JobClient open(ClusterAccess access) throws InterruptedException {
    HeadFinder finder = new HeadFinder(access);
    long startNanos = System.nanoTime();
    while (true) {
      Optional<HeadFinder.Head> head = finder.look();
      if (head.isPresent()) {
        return new JobClient(finder, head.get());
      }
      if (!finder.isHopeful() || isLonger(startNanos, MOVE_MS)) {
        throw new IllegalStateException(finder.problem());
      }
      Thread.sleep(TRY_AGAIN_MS);
    }
  }

  private static boolean isLonger(long sinceNanos, long limitMs) {
    return System.nanoTime() - sinceNanos >= TimeUnit.MILLISECONDS.toNanos(limitMs);
  }

  /** Opens a connection to a node that is the head. */
  static JobClient ofHead(ClusterAccess head, String sessionId) {
    return new JobClient(new HeadFinder(head), new HeadFinder.Head(head, sessionId));
  }

  /** Returns host and port of the head. */
  public String headAddress() {
    return channel.address();
  }

  /**
   * Sends a program, as far as the head does not have it, and submits it.
   *
   * @param spec what to run; its code and working directory are set here
   * @param code its class path, in parts
   * @param workingDirectory what it starts in, empty for an empty directory
   * @throws IllegalStateException when the program cannot be sent, or the head refuses it
   */
  public JobEntry submit(
      SubmitJob spec, List<CodeUnitScan> code, Optional<CodeUnitScan> workingDirectory)
      throws InterruptedException {
    SubmitJob.Builder request = spec.toBuilder();
    request.getCodeBuilder().clear();
    code.forEach(each -> request.getCodeBuilder().addAllFiles(each.unit().getFilesList()));
    try {
      for (CodeUnitScan each : code) {
        CodeUpload.run(channel, each);
      }
      if (workingDirectory.isPresent()) {
        CodeUpload.run(channel, workingDirectory.get());
        request.setWorkingDirectory(workingDirectory.get().unit().getFiles(0));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    return ask(Methods.SUBMIT_JOB, request.build(), TIMEOUT_MS);
  }

  /** Returns all jobs that the head knows, in the order in which they came. */
  public List<JobEntry> list() {
    return ask(Methods.LIST_JOBS, ListJobs.getDefaultInstance(), TIMEOUT_MS).getJobsList();
  }

  /** Returns how a job is. */
  public JobEntry get(String job) {
    return ask(Methods.GET_JOB, GetJob.newBuilder().setJob(job).build(), TIMEOUT_MS);
  }

  /**
   * Ends a job; returns when it is over.
   *
   * @param grace how long it may take after it was told; then it is killed
   * @throws IllegalStateException also when it was over already
   */
  public JobEntry stop(String job, Duration grace) {
    if (job.isEmpty()) {
      throw new IllegalArgumentException("a job has an id, such as job-7");
    }
    List<JobEntry> ended = stopped(job, grace, TIMEOUT_MS);
    return ended.isEmpty() ? get(job) : ended.getFirst();
  }

  /** Ends all jobs, and lets the head take no more; returns those that had to end. */
  List<JobEntry> stopAll(Duration grace) {
    return stopped("", grace, BURIAL_MS);
  }

  private List<JobEntry> stopped(String job, Duration grace, long moreMs) {
    StopJobs request = StopJobs.newBuilder().setJob(job).setGraceMs(grace.toMillis()).build();
    return ask(Methods.STOP_JOBS, request, grace.toMillis() + moreMs).getJobsList();
  }

  /**
   * Reads on in what a job has printed.
   *
   * @param offset counts its bytes
   * @param follow whether to wait a while, some ten seconds, when there is nothing new; a
   *     connection that breaks is then made again, to another head if there is one, unless that
   *     takes too long
   */
  public JobLogPart readLog(String job, long offset, boolean follow) throws InterruptedException {
    ReadJobLog request =
        ReadJobLog.newBuilder()
            .setJob(job)
            .setOffset(offset)
            .setWaitMs(follow ? LOG_WAIT_MS : 0)
            .build();
    if (follow && isFollowing.compareAndSet(false, true)) {
      RpcChannel head = channel;
      Thread.startVirtualThread(() -> finder.learnFrom(head.address()));
    }
    long brokenNanos = 0;
    while (true) {
      try {
        return call(Methods.READ_JOB_LOG, request, LOG_WAIT_MS + TIMEOUT_MS);
      } catch (StatusRuntimeException e) {
        if (!follow || !isBroken(e)) {
          throw failure(e, LOG_WAIT_MS + TIMEOUT_MS);
        }
        brokenNanos = brokenNanos == 0 ? System.nanoTime() : brokenNanos;
        String reason = RpcFailure.describe(channel.address(), e);
        if (!moveToHead(brokenNanos)) {
          throw new IllegalStateException(
              "the head is gone, and " + job + " ends with it: " + reason, e);
        }
      }
    }
  }

  /** Looks for a head, which may be the same; false when there is none after a while. */
  private boolean moveToHead(long brokenNanos) throws InterruptedException {
    while (true) {
      Optional<HeadFinder.Head> found = finder.look();
      boolean isOver = isLonger(brokenNanos, finder.isHopeful() ? MOVE_MS : GONE_MS);
      if (isOver) {
        return false;
      }
      Thread.sleep(TRY_AGAIN_MS);
      if (found.isPresent()) {
        moveTo(found.get());
        return true;
      }
    }
  }

  private void moveTo(HeadFinder.Head head) {
    RpcChannel before = channel;
    if (!before.address().equals(head.access().address().toString())) {
      channel = channelTo(head);
      before.close();
    }
  }

  private static boolean isBroken(StatusRuntimeException e) {
    return switch (e.getStatus().getCode()) {
      case UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED -> true;
      default -> false;
    };
  }

  private <Q, A> A ask(MethodDescriptor<Q, A> method, Q question, long timeoutMs) {
    try {
      return call(method, question, timeoutMs);
    } catch (StatusRuntimeException e) {
      throw failure(e, timeoutMs);
    }
  }

  private <Q, A> A call(MethodDescriptor<Q, A> method, Q question, long timeoutMs) {
    return ClientCalls.blockingUnaryCall(channel.call(method, timeoutMs), question);
  }

  private IllegalStateException failure(StatusRuntimeException e, long timeoutMs) {
    Status status = e.getStatus();
    String words =
        switch (status.getCode()) {
          case NOT_FOUND,
              INVALID_ARGUMENT,
              FAILED_PRECONDITION,
              RESOURCE_EXHAUSTED,
              OUT_OF_RANGE,
              DATA_LOSS -> // in words of ours
              String.valueOf(status.getDescription());
          case DEADLINE_EXCEEDED ->
              channel.address() + " does not answer within " + timeoutMs / 1e3 + " s";
          default -> RpcFailure.describe(channel.address(), e);
        };
    return new IllegalStateException(words, e);
  }

  /** Ends all calls. Idempotent. */
  @Override
  public void close() {
    channel.close();
    RpcChannel.awaitClosed();
  }
}
