package io.aktis.simulation;

/**
 * Names one attempt as it was sent to a worker.
 *
 * @param owner the number of the owner
 * @param number counts what that owner has sent; 0 for its driver
 */
record RunKey(long owner, long number) {
  @Override
  public String toString() {
    return "run-" + owner + "-" + number;
  }
}
