package io.aktis.cluster.node;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.aktis.cluster.control.ControlBatch;
import io.aktis.cluster.control.ControlStore;
import io.aktis.cluster.session.MachineId;
import io.aktis.core.job.JobId;
import io.aktis.core.job.JobState;
import io.aktis.core.job.JobStatus;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.KeptJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of earlier heads, as the control store has them. Reading waits; the rest does not.
 * Immutable.
 *
 * @param lastNumber the number of the last job that was taken
 * @param jobs those that were not forgotten, each with its log if that is here
 */
record KeptJobs(long lastNumber, Map<JobId, PastJob> jobs) {
  static final String TABLE = "jobs";
  private static final Logger LOG = LoggerFactory.getLogger(KeptJobs.class);
  private static final String COUNTERS = "counters";
  private static final String LAST_JOB = "last-job";

  /**
   * A job of an earlier head.
   *
   * @param kept what is known of it
   * @param status the same, as the machine is told of it
   * @param log what it has printed; empty when that is not on this machine
   */
  record PastJob(KeptJob kept, JobStatus status, Optional<JobLog> log) {
    /** Says where its log is when it is not here. */
    String missing() {
      return log.isPresent()
          ? ""
          : "the log of "
              + kept.getJob().getJob()
              + " is not here: it was on the machine of the head at "
              + kept.getHeadAddress()
              + ", in "
              + kept.getDirectory();
    }
  }

  /**
   * Reads what is in a store.
   *
   * @throws IOException when it cannot be read, or is damaged; the message says which
   */
  static KeptJobs read(ControlStore store) throws IOException {
    Map<JobId, PastJob> jobs = new LinkedHashMap<>();
    for (Map.Entry<String, ByteString> each : store.read(TABLE).entrySet()) {
      KeptJob kept = parse(store, each.getKey(), each.getValue());
      JobStatus status = status(store, each.getKey(), kept.getJob());
      jobs.put(status.job(), new PastJob(kept, status, log(kept)));
    }
    ByteString last = store.read(COUNTERS).get(LAST_JOB);
    try {
      return new KeptJobs(last == null ? 0 : Long.parseLong(last.toStringUtf8()), jobs);
    } catch (NumberFormatException e) {
      throw damaged(store, LAST_JOB, "it is no number");
    }
  }

  private static KeptJob parse(ControlStore store, String key, ByteString value)
      throws IOException {
    try {
      return KeptJob.parseFrom(value);
    } catch (InvalidProtocolBufferException e) {
      throw damaged(store, key, String.valueOf(e.getMessage()));
    }
  }

  private static IOException damaged(ControlStore store, String key, String why) {
    return new IOException(
        "the control store " + store + " is damaged: the entry '" + key + "': " + why);
  }

  private static Optional<JobLog> log(KeptJob kept) {
    if (!kept.getMachineId().equals(MachineId.current())) {
      return Optional.empty();
    }
    try {
      return JobLog.kept(Path.of(kept.getDirectory()));
    } catch (IOException e) {
      LOG.warn("the log of {} cannot be read: {}", kept.getJob().getJob(), e.toString());
      return Optional.empty();
    }
  }

  private static JobStatus status(ControlStore store, String key, JobEntry entry)
      throws IOException {
    JobId id = JobId.parse(entry.getJob()).orElseThrow(() -> damaged(store, key, "it has no id"));
    JobState state;
    try {
      state = JobState.valueOf(entry.getState().name());
    } catch (IllegalArgumentException e) {
      throw damaged(store, key, "its state is unknown; a later version of Aktis has written it");
    }
    return new JobStatus(
        id,
        state,
        false,
        entry.getSubmittedAtMs(),
        entry.getStartedAtMs(),
        entry.getEndedAtMs(),
        entry.getPid(),
        entry.hasExitCode() ? OptionalInt.of(entry.getExitCode()) : OptionalInt.empty(),
        entry.getReason());
  }

  /** Adds how a job is now to what is to be written. */
  static ControlBatch put(ControlBatch batch, KeptJob job) {
    return batch.put(TABLE, job.getJob().getJob(), job);
  }

  /** Adds the number of the last job to what is to be written. */
  static ControlBatch putLast(ControlBatch batch, JobId last) {
    return batch.put(COUNTERS, LAST_JOB, ByteString.copyFromUtf8(Long.toString(last.number())));
  }
}
