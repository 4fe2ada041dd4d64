package io.aktis.runtime.session;

import io.aktis.runtime.loop.Crew;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * What is done at the end of a batch of events, once for all of them: waiters are told, and work is
 * started. Confined to the owner's loop.
 */
final class BatchEnd {
  private final Session session;
  private final Crew crew;
  private final List<Runnable> toStart = new ArrayList<>();
  private final List<Cell> toTell = new ArrayList<>();
  private boolean anyFailed;

  BatchEnd(Session session, Crew crew) {
    this.session = session;
    this.crew = crew;
  }

  /** Has work run on the crew. */
  void start(Runnable work) {
    toStart.add(work);
  }

  /** Has those told who wait for a cell. */
  void tell(Cell settled, boolean failed) {
    toTell.add(settled);
    anyFailed |= failed;
  }

  void carryOut() {
    tellWaiters();
    for (int i = 0; i < toStart.size(); i++) {
      crew.execute(toStart.get(i));
    }
    toStart.clear();
  }

  /** One fence for all: a waiter that is not seen after it sees the outcome. */
  private void tellWaiters() {
    if (toTell.isEmpty()) {
      return;
    }
    VarHandle.fullFence();
    for (int i = 0; i < toTell.size(); i++) {
      toTell.get(i).tell();
    }
    toTell.clear();
    if (anyFailed) {
      anyFailed = false;
      session.waits().failed();
    }
  }

  /** What was to be started is not: the engine is broken. */
  void forget() {
    toStart.clear();
  }
}
