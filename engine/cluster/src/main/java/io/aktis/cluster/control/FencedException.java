package io.aktis.cluster.control;

import java.io.IOException;

/** A write was refused and nothing of it was done: the store belongs to another head. */
public final class FencedException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Makes one.
   *
   * @param epoch that of who wanted to write
   * @param current that of the store
   */
  FencedException(long epoch, long current) {
    super(
        "the head of epoch "
            + epoch
            + " cannot write any more: the control store is in epoch "
            + current);
  }
}
