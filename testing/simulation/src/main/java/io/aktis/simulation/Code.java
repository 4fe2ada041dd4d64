package io.aktis.simulation;

import io.aktis.core.owner.Payload;

/**
 * What an owner keeps to run a task.
 *
 * @param script what it does
 * @param milliCpus how many thousandths of a CPU it holds
 */
record Code(Script script, int milliCpus) implements Payload {
  @Override
  public long sizeBytes() {
    return 1_000;
  }
}
