package io.aktis.runtime.session;

import io.aktis.ActorOptions;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.LeaseGrant;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.function.TaskAction1;
import io.aktis.spi.RunningWork;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One life of an actor: its instance, and the calls that wait or run. Calls of an ordered actor run
 * one after the other on crew threads; those of others run at a time up to the limit of their
 * group, each on a virtual thread. Thread-safe.
 */
final class ActorHost {
  private static final String DEFAULT_GROUP = "";

  private final Kernel kernel;
  private final Actor actor;
  private final int life;
  private final ActorOptions options;
  private final boolean ordered;
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Set<Run> running = new LinkedHashSet<>();
  private volatile @Nullable Object instance;
  private @Nullable LeaseGrant lease;
  private boolean ended;
  private boolean closes;
  private boolean gone;

  ActorHost(Kernel kernel, Actor actor, ActorOptions options, int life) {
    this.kernel = kernel;
    this.actor = actor;
    this.life = life;
    this.options = options;
    this.ordered = actor.isOrdered();
    lanes.put(DEFAULT_GROUP, new Lane(options.maxConcurrency()));
    options.groups().limits().forEach((name, limit) -> lanes.put(name, new Lane(limit)));
  }

  Actor actor() {
    return actor;
  }

  /** Returns which life of the actor this is, from 1. */
  int life() {
    return life;
  }

  @Nullable Object instance() {
    return instance;
  }

  /** Takes the instance that the constructor made. */
  void created(@Nullable Object made) {
    if (made == null) {
      throw new IllegalStateException("the factory of actor " + actor.name() + " gave null");
    }
    instance = made;
  }

  /** Runs what the user asked for after a restart. */
  @SuppressWarnings("unchecked")
  void restarted(Object made) throws Exception {
    TaskAction1<Object> action = (TaskAction1<Object>) options.onRestart();
    if (action != null) {
      action.apply(made);
    }
  }

  void add(Run run, String group) {
    Lane lane = lanes.get(group);
    if (lane == null) {
      throw new IllegalArgumentException("actor " + actor.name() + " has no group " + group);
    }
    synchronized (this) {
      lane.waiting.add(run);
    }
    start(lane);
  }

  private void start(Lane lane) {
    synchronized (this) {
      if (lane.active >= lane.limit || lane.waiting.isEmpty()) {
        return;
      }
      lane.active++;
    }
    if (ordered) {
      kernel.startLater(() -> work(lane));
    } else {
      kernel.crew().executeVirtual(() -> work(lane));
    }
  }

  private void work(Lane lane) {
    RunScope scope = new RunScope();
    ScopedValue.where(RunningWork.SCOPE, scope).run(() -> work(lane, scope));
    endIfIdle();
  }

  private void work(Lane lane, RunScope scope) {
    for (Run run = next(lane); run != null; run = next(lane)) {
      OwnerEvent report = scope.perform(run);
      synchronized (this) {
        running.remove(run);
      }
      if (report != null) {
        report(report);
      }
    }
  }

  /** Crew threads help the loop; virtual threads leave it to others. */
  private void report(OwnerEvent event) {
    if (ordered) {
      kernel.postAndRun(event);
    } else {
      kernel.post(event);
    }
  }

  private synchronized @Nullable Run next(Lane lane) {
    Run run = lane.waiting.poll();
    if (run == null) {
      lane.active--;
    } else {
      running.add(run);
    }
    return run;
  }

  /**
   * Withdraws the calls that have not started, as if the process were gone; returns the others.
   * These are not interrupted: whoever loses an actor says so to the owner first, for a call that
   * is interrupted reports a failure of its own.
   */
  synchronized List<Run> withdraw() {
    for (Lane lane : lanes.values()) {
      lane.waiting.clear();
    }
    List<Run> started = new ArrayList<>();
    for (Run run : running) {
      if (!run.withdraw()) {
        started.add(run);
      }
    }
    return started;
  }

  /** Ends everything as if the process were gone; returns the calls that had started. */
  synchronized List<Run> abandon() {
    List<Run> started = withdraw();
    started.forEach(Run::end);
    return started;
  }

  /**
   * Ends this life; its lease is given back when what runs has ended.
   *
   * @param held the lease to give back
   * @param interrupt whether running calls are interrupted, and the instance is not closed
   */
  void end(LeaseGrant held, boolean interrupt) {
    synchronized (this) {
      ended = true;
      lease = held;
      closes = !interrupt;
      for (Lane lane : lanes.values()) {
        lane.waiting.clear();
      }
      if (interrupt) {
        running.forEach(Run::end);
      }
    }
    kernel.crew().execute(this::endIfIdle);
  }

  private void endIfIdle() {
    LeaseGrant held;
    synchronized (this) {
      if (!ended || gone || !running.isEmpty() || anyActive()) {
        return;
      }
      gone = true;
      held = lease;
    }
    close();
    if (held != null) {
      kernel.actorGone(held);
    }
  }

  private boolean anyActive() {
    return lanes.values().stream().anyMatch(lane -> lane.active > 0);
  }

  private void close() {
    if (closes && instance instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Throwable thrown) {
        Log.LOG.warn("Closing actor {} failed.", actor.name(), thrown);
      }
    }
    instance = null;
  }

  /** A group of calls with a limit. Guarded by the host. */
  private static final class Lane {
    private final int limit;
    private final ArrayDeque<Run> waiting = new ArrayDeque<>();
    private int active;

    Lane(int limit) {
      this.limit = limit;
    }
  }
}
