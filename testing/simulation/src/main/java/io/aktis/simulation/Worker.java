package io.aktis.simulation;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.LeaseId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What runs on one lease: tasks one after the other, or an actor with its calls: one at a time when
 * it is ordered, all at once otherwise.
 */
final class Worker {
  private final NodeProcess node;
  private final LeaseId lease;
  private final ArrayDeque<NodeRun> queue = new ArrayDeque<>();
  private final Set<NodeRun> running = new LinkedHashSet<>();
  private @Nullable ActorId actor;
  private boolean atOnce;
  private int actorMilliCpus;
  private boolean ending;

  Worker(NodeProcess node, LeaseId lease) {
    this.node = node;
    this.lease = lease;
  }

  LeaseId lease() {
    return lease;
  }

  @Nullable ActorId actor() {
    return actor;
  }

  /** The constructor of an actor has returned here: from now on it takes calls. */
  void becomesActor(RunSpec creation) {
    actor = creation.actor();
    atOnce = !creation.ordered() || node.world().tampering().runsCallsAtOnce();
    actorMilliCpus = creation.milliCpus();
  }

  void add(NodeRun run) {
    queue.add(run);
    pump();
  }

  private void pump() {
    while (!ending && !queue.isEmpty() && (running.isEmpty() || atOnce)) {
      NodeRun next = queue.remove();
      running.add(next);
      next.begin();
    }
  }

  /** A run is over: the next may begin. */
  void over(NodeRun run) {
    running.remove(run);
    pump();
  }

  /** Takes out what has not begun. */
  List<NodeRun> takeQueued() {
    List<NodeRun> taken = new ArrayList<>(queue);
    queue.clear();
    return taken;
  }

  /** Takes a run out that has not begun; false when it has. */
  boolean takeOut(NodeRun run) {
    return queue.remove(run);
  }

  List<NodeRun> running() {
    return new ArrayList<>(running);
  }

  boolean isIdle() {
    return running.isEmpty() && queue.isEmpty();
  }

  /** Takes no more: what runs may end. */
  void end() {
    ending = true;
  }

  boolean isEnding() {
    return ending;
  }

  /** Its process is gone. */
  void kill() {
    end();
    queue.clear();
    for (NodeRun run : running()) {
      run.code().kill();
    }
    running.clear();
  }

  /** Returns how many thousandths of a CPU are used here now. */
  int busyMilliCpus() {
    boolean anyRuns = running.stream().anyMatch(run -> run.code().isRunning());
    if (!anyRuns) {
      return 0;
    }
    return actor == null ? running.iterator().next().spec().milliCpus() : actorMilliCpus;
  }

  @Override
  public String toString() {
    return "worker on " + lease + (actor == null ? "" : " of " + actor);
  }
}
