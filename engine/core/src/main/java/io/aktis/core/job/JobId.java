package io.aktis.core.job;

import java.util.Optional;

/**
 * Names one submitted program among those of its cluster, as people write it: {@code job-7}.
 *
 * @param number counts the jobs of a cluster, from 1
 */
public record JobId(long number) implements Comparable<JobId> {
  private static final String PREFIX = "job-";
  private static final int MAX_DIGITS = 18;

  /** Checks the number. */
  public JobId {
    if (number < 1) {
      throw new IllegalArgumentException("jobs are counted from 1, not from " + number);
    }
  }

  /** Reads an id; empty when the text is none. */
  public static Optional<JobId> parse(String text) {
    String digits = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : "";
    boolean isNumber =
        !digits.isEmpty()
            && digits.length() <= MAX_DIGITS
            && digits.charAt(0) != '0'
            && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Optional.of(new JobId(Long.parseLong(digits))) : Optional.empty();
  }

  @Override
  public int compareTo(JobId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return PREFIX + number;
  }
}
