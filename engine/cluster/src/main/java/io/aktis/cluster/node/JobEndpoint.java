package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership.Member;
import io.aktis.cluster.node.NodeCode.Held;
import io.aktis.core.job.JobId;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.GetJob;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobList;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.ListJobs;
import io.aktis.wire.message.ReadJobLog;
import io.aktis.wire.message.StopJobs;
import io.aktis.wire.message.SubmitJob;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Answers people about submitted jobs, on the head; on another node it says where the head is.
 * Called by the network; thread-safe.
 */
final class JobEndpoint {
  private static final int MAX_PART_BYTES = 256 << 10;
  private static final long MAX_WAIT_MS = 20_000;

  private final NodeCode code;
  private final NodeLoop loop;
  private final ClusterDesk cluster;
  private final Optional<HeadDesk> head;

  JobEndpoint(NodeCode code, NodeLoop loop, ClusterDesk cluster, Optional<HeadDesk> head) {
    this.code = code;
    this.loop = loop;
    this.cluster = cluster;
    this.head = head;
  }

  /** Does the work of a call on the loop, if this is the head. */
  private void onLoop(StreamObserver<?> answers, Consumer<JobDesk> work) {
    Answers.allowGone(answers);
    loop.post(() -> {
      Optional<JobDesk> jobs = head.flatMap(HeadDesk::jobs);
      if (jobs.isPresent()) {
        work.accept(jobs.get());
      } else if (cluster.isChosen()) {
        Answers.refuse(
            answers,
            Status.UNAVAILABLE,
            "this node does not serve as the head yet: "
                + head.map(HeadDesk::problem).orElse("it cannot be that"));
      } else {
        Member other = cluster.head();
        Answers.refuse(
            answers,
            Status.FAILED_PRECONDITION,
            "jobs are with the head, and this node is none; "
                + (other == null ? "there is no head now" : "the head is at " + other.address()));
      }
    });
  }

  /** Finds a job; answers that there is none otherwise. To be called on the loop. */
  private static Optional<JobEntry> find(JobDesk jobs, String text, StreamObserver<?> answers) {
    Optional<JobEntry> entry = JobId.parse(text).flatMap(jobs::entry);
    if (entry.isEmpty()) {
      boolean isId = JobId.parse(text).isPresent();
      Answers.refuse(
          answers,
          isId ? Status.NOT_FOUND : Status.INVALID_ARGUMENT,
          isId
              ? "there is no " + text + " here; the head knows the last that have ended"
              : "'" + text + "' is no id of a job; ids are such as job-7");
    }
    return entry;
  }

  private static JobId id(JobEntry entry) {
    return JobId.parse(entry.getJob()).orElseThrow();
  }

  // ---- submit ---------------------------------------------------------------------------------

  void submit(SubmitJob request, StreamObserver<JobEntry> answers) {
    onLoop(
        answers,
        jobs -> {
          String problem = JobCheck.problem(request);
          if (!problem.isEmpty()) {
            Answers.refuse(answers, Status.INVALID_ARGUMENT, problem);
            return;
          }
          Thread.startVirtualThread(() -> hold(request, answers)); // reads files
        });
  }

  private void hold(SubmitJob request, StreamObserver<JobEntry> answers) {
    Held held;
    try {
      List<CodeFile> files = new ArrayList<>(request.getCode().getFilesList());
      if (request.hasWorkingDirectory()) {
        files.add(request.getWorkingDirectory());
      }
      held = code.hold(files);
    } catch (IOException e) {
      Answers.refuse(answers, Status.FAILED_PRECONDITION, WireForms.words(e));
      return;
    } catch (IllegalArgumentException e) {
      Answers.refuse(answers, Status.INVALID_ARGUMENT, WireForms.words(e));
      return;
    }
    loop.post(() -> {
      Optional<JobDesk> jobs = head.flatMap(HeadDesk::jobs);
      if (jobs.isEmpty()) {
        held.close();
        Answers.refuse(answers, Status.UNAVAILABLE, "this node is not the head any more");
        return;
      }
      jobs.get()
          .submit(
              request,
              held,
              entry -> Answers.give(answers, entry),
              why -> Answers.refuse(answers, Status.RESOURCE_EXHAUSTED, why));
    });
  }

  // ---- questions ------------------------------------------------------------------------------

  void list(ListJobs request, StreamObserver<JobList> answers) {
    onLoop(
        answers,
        jobs -> Answers.give(answers, JobList.newBuilder().addAllJobs(jobs.entries()).build()));
  }

  void get(GetJob request, StreamObserver<JobEntry> answers) {
    onLoop(
        answers,
        jobs ->
            find(jobs, request.getJob(), answers).ifPresent(entry -> Answers.give(answers, entry)));
  }

  void readLog(ReadJobLog request, StreamObserver<JobLogPart> answers) {
    onLoop(
        answers,
        jobs ->
            find(jobs, request.getJob(), answers)
                .ifPresent(entry ->
                    jobs.log(id(entry))
                        .ifPresentOrElse(
                            log ->
                                Thread.startVirtualThread(() -> read(jobs, log, request, answers)),
                            () -> Answers.give(answers, missing(jobs, entry, request)))));
  }

  /** The log of a job of an earlier head may be on another machine. */
  private static JobLogPart missing(JobDesk jobs, JobEntry entry, ReadJobLog request) {
    return JobLogPart.newBuilder()
        .setOffset(request.getOffset())
        .setEnd(true)
        .setJob(entry)
        .setMissing(jobs.missing(id(entry)))
        .build();
  }

  private void read(
      JobDesk jobs, JobLog log, ReadJobLog request, StreamObserver<JobLogPart> answers) {
    try {
      long waitMs = Math.clamp(request.getWaitMs(), 0, MAX_WAIT_MS);
      JobLog.Part part = log.read(request.getOffset(), MAX_PART_BYTES, waitMs);
      JobLogPart.Builder reply =
          JobLogPart.newBuilder()
              .setOffset(part.offset())
              .setData(part.data())
              .setEnd(part.isLast());
      if (part.isLast()) {
        loop.post(() -> {
          find(jobs, request.getJob(), answers)
              .ifPresent(entry -> Answers.give(answers, reply.setJob(entry).build()));
        });
      } else {
        Answers.give(answers, reply.build());
      }
    } catch (IllegalArgumentException e) {
      Answers.refuse(answers, Status.OUT_OF_RANGE, WireForms.words(e));
    } catch (IOException e) {
      Answers.refuse(answers, Status.DATA_LOSS, "the log of the job cannot be read: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts it
    }
  }

  // ---- stop -----------------------------------------------------------------------------------

  void stop(StopJobs request, StreamObserver<JobList> answers) {
    long graceMs = Math.max(0, request.getGraceMs());
    onLoop(
        answers,
        jobs -> {
          if (request.getJob().isEmpty()) {
            stopAll(jobs, graceMs, answers);
            return;
          }
          find(jobs, request.getJob(), answers)
              .ifPresent(entry -> {
                if (entry.getEndedAtMs() > 0) {
                  Answers.refuse(
                      answers,
                      Status.FAILED_PRECONDITION,
                      entry.getJob() + " is over already: " + entry.getState());
                  return;
                }
                JobId job = id(entry);
                jobs.stop(job, graceMs, () -> Answers.give(answers, listOf(jobs.entry(job))));
              });
        });
  }

  /** The answer has the jobs that had to end. */
  private static void stopAll(JobDesk jobs, long graceMs, StreamObserver<JobList> answers) {
    var active =
        jobs.entries().stream()
            .filter(entry -> entry.getEndedAtMs() == 0)
            .map(JobEndpoint::id)
            .toList();
    jobs.stopAll(
        graceMs,
        () -> {
          JobList.Builder ended = JobList.newBuilder();
          active.forEach(job -> jobs.entry(job).ifPresent(ended::addJobs));
          Answers.give(answers, ended.build());
        });
  }

  private static JobList listOf(Optional<JobEntry> entry) {
    JobList.Builder list = JobList.newBuilder();
    entry.ifPresent(list::addJobs);
    return list.build();
  }
}
