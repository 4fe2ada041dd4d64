package io.aktis.simulation;

import java.util.List;

/**
 * A task, or a call of an actor, as a program submits it.
 *
 * @param name what people see
 * @param script what it does
 * @param args references of the submitter that are its arguments
 * @param maxRetries how often it may be run again
 * @param timeoutMs its time limit, 0 for none
 * @param needs where it may run; of no meaning for a call
 */
record TaskSpec(
    String name, Script script, List<Integer> args, int maxRetries, long timeoutMs, Needs needs) {
  @Override
  public String toString() {
    return name;
  }
}
