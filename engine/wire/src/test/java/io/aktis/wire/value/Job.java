package io.aktis.wire.value;

import java.util.ArrayList;
import java.util.List;

/** A class of a job, loaded anew by each loader of {@link ConcurrencyTest}. */
public class Job {
  public int value = 3;
  public List<Job> more = new ArrayList<>();

  /** A record of the job. */
  public record Part(Job job, Object other) {}
}
