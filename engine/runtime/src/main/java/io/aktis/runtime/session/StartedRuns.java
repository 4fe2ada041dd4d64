package io.aktis.runtime.session;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is known of the attempts that had started in a process which is dead. A worker notes the
 * number of each in a small ring before it starts, so that nothing is charged that has never run,
 * and nothing is run again that may have. Immutable.
 *
 * @param known whether anything is known
 * @param numbers the numbers in the ring
 * @param highest the highest of them
 */
record StartedRuns(boolean known, Set<Long> numbers, long highest) {
  static final StartedRuns UNKNOWN = new StartedRuns(false, Set.of(), 0);

  /** How many numbers the ring holds; see the worker's journal. */
  static final long RING = 1 << 16;

  static StartedRuns of(List<Long> numbers) {
    long highest = numbers.stream().mapToLong(Long::longValue).max().orElse(0);
    return new StartedRuns(true, new HashSet<>(numbers), highest);
  }

  /** Tells whether an attempt had started, or may have. */
  boolean mayInclude(long number) {
    return !known || number <= highest - RING || numbers.contains(number);
  }
}
