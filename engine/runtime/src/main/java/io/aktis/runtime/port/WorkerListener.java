package io.aktis.runtime.port;

import io.aktis.wire.message.WorkerToOwner;
import java.util.List;

/** Hears of a worker process; one call at a time. Must not wait. */
public interface WorkerListener {
  /** Messages have come, in the order in which the worker has sent them. */
  void received(List<WorkerToOwner> messages);

  /**
   * The conversation has ended: nothing more will come.
   *
   * @param reason why, in words
   */
  void ended(String reason);
}
