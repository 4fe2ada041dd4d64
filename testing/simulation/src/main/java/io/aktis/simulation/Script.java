package io.aktis.simulation;

import java.util.List;

/**
 * What user code does when it runs.
 *
 * @param steps what it does, in order
 * @param results what it returns
 * @param failures the attempts up to this one throw at their end
 * @param retryable whether that is a failure that the task is retried after
 * @param stubborn whether it ignores interrupts
 * @param brave whether it goes on when a get fails
 * @param exits whether the actor ends with this call
 */
record Script(
    List<Step> steps,
    List<Result> results,
    int failures,
    boolean retryable,
    boolean stubborn,
    boolean brave,
    boolean exits) {

  /** Throws in every attempt. */
  static final int ALWAYS = Integer.MAX_VALUE;

  /**
   * One result.
   *
   * @param large whether it goes to the store
   * @param contained references inside it
   */
  record Result(boolean large, List<Integer> contained) {}
}
