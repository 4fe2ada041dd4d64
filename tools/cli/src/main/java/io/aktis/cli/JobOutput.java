package io.aktis.cli;

import io.aktis.cluster.session.JobClient;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobLogPart;
import java.io.PrintStream;
import java.io.PrintWriter;

/** Copies what a job prints. Confined to one thread. */
final class JobOutput {
  private final JobClient head;
  private final String job;
  private final PrintStream out;
  private final PrintWriter err;
  private long offset;

  /**
   * Begins with the first byte that is kept.
   *
   * @param err where it is told that something is not kept any more
   */
  JobOutput(JobClient head, String job, PrintStream out, PrintWriter err) {
    this.head = head;
    this.job = job;
    this.out = out;
    this.err = err;
  }

  /** Copies what there is. */
  void print() throws InterruptedException {
    JobLogPart part;
    do {
      part = next(false);
    } while (!part.getEnd() && !part.getData().isEmpty());
  }

  /**
   * Copies all, until the job is over.
   *
   * @return how it ended
   * @throws IllegalStateException when the head is gone; told as it is
   */
  JobEntry follow() throws InterruptedException {
    JobLogPart part;
    do {
      part = next(true);
    } while (!part.getEnd());
    return part.getJob();
  }

  private JobLogPart next(boolean wait) throws InterruptedException {
    JobLogPart part = head.readLog(job, offset, wait);
    if (!part.getMissing().isEmpty()) {
      err.println("(" + part.getMissing() + ")");
      err.flush();
    }
    if (part.getOffset() > offset) {
      err.println("(" + (part.getOffset() - offset) + " bytes of " + job + " are not kept)");
      err.flush();
    }
    byte[] data = part.getData().toByteArray();
    out.write(data, 0, data.length);
    out.flush();
    offset = part.getOffset() + data.length;
    return part;
  }
}
