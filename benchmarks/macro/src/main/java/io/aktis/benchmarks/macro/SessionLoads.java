package io.aktis.benchmarks.macro;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.benchmarks.macro.Budget.AboveJdk;
import io.aktis.benchmarks.macro.Budget.Absolute;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;

/** The life of a session: how fast it begins and ends, what it takes, what it leaves. */
final class SessionLoads {
  private static final int CYCLES = 50;
  private static final int WARM_UP_CYCLES = 10;
  private static final int ROUNDS = 200;
  private static final int BURST = 1_000;

  private SessionLoads() {}

  static List<Load> beginning(Setting setting) {
    Load load = Load.of(setting, "init_to_first_result_s", Unit.SECONDS);
    Load own =
        setting.isSeparate()
            ? load.anew(rig -> _ -> startAndRun(rig))
                .alone(Side.AKTIS, "driver alone, from open", OwnJvm.FIRST_RESULT)
            : load.alone(Side.AKTIS, "aktis", OwnJvm.FIRST_RESULT);
    return List.of(
        own.alone(Side.JDK, "ForkJoinPool", OwnJvm.FIRST_RESULT)
            .ray()
            .embedded(new Absolute(0.15))
            .separate(new Absolute(3)),
        cold(setting).alone(Side.JDK, "ForkJoinPool", OwnJvm.FIRST_TASKS));
  }

  private static Load cold(Setting setting) {
    Load load = Load.of(setting, "first_1000_tasks_s", Unit.SECONDS);
    if (!setting.isSeparate()) {
      return load.alone(Side.AKTIS, "aktis", OwnJvm.FIRST_TASKS);
    }
    Load own = load.anew(rig -> _ -> inNewCluster(rig, OwnJvm.FIRST_TASKS));
    // The bare stream of a JVM of its own has no certificates.
    return setting.tls()
        ? own
        : own.alone(Side.GRPC, "bidirectional stream between two new JVMs", OwnJvm.FIRST_TASKS);
  }

  static List<Load> end(Setting setting) {
    if (setting.isSeparate()) {
      return List.of(resident(setting), shutdown(setting));
    }
    return List.of(
        resident(setting),
        shutdown(setting),
        left(setting, "fifty_init_close_threads", Unit.COUNT, OwnJvm.THREADS, 0),
        left(setting, "fifty_init_close_files", Unit.COUNT, OwnJvm.OPEN_FILES, 0),
        left(setting, "fifty_init_close_mb", Unit.MEGABYTES, OwnJvm.MEMORY, 10));
  }

  private static Load left(Setting setting, String name, Unit unit, OwnJvm child, double most) {
    return Load.of(setting, name, unit)
        .alone(Side.AKTIS, "aktis", child)
        .budget(new Absolute(most));
  }

  /** The first session of a JVM that runs: its classes are not loaded yet. */
  static double firstResult(OwnJvm.Task task) throws Exception {
    long start = System.nanoTime();
    if (task.side() == Side.AKTIS) {
      task.openSession().task(Work::noop).remote().get();
    } else {
      new ForkJoinPool(task.cpus()).submit(Work::noop).get();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** One after the other, as the first work of a JVM; a session is open, or a pool is there. */
  static double firstTasks(OwnJvm.Task task) throws Exception {
    if (task.side() == Side.AKTIS) {
      AktisSession session = task.openSession();
      return seconds(() -> session.task(Work::noop).remote().get());
    }
    if (task.side() == Side.GRPC) {
      try (Peer peer = Peer.start(Optional.empty())) {
        return seconds(() -> peer.stream().roundTrips(1));
      }
    }
    ExecutorService pool = new ForkJoinPool(task.cpus());
    return seconds(() -> pool.submit(Work::noop).get());
  }

  private static double seconds(Probe.Action action) throws Exception {
    long start = System.nanoTime();
    for (int i = 0; i < BURST; i++) {
      action.run();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** All that a user waits for: the command that starts a node, then a program up to its end. */
  private static double startAndRun(Rig rig) throws Exception {
    long start = System.nanoTime();
    try (Clusters.Cluster cluster =
        rig.clusters().startByCommand(rig.shape(1, rig.setting().tls()))) {
      OwnJvm.FIRST_RESULT.run(OwnJvm.Task.of(Side.AKTIS, rig.cpus()).at(cluster));
      return (System.nanoTime() - start) / 1e9;
    }
  }

  private static Load resident(Setting setting) {
    Load load = Load.of(setting, "resident_mb", Unit.MEGABYTES);
    Load own =
        setting.isSeparate()
            ? load.once("node, worker and driver", rig -> _ -> inNewCluster(rig, OwnJvm.RESIDENT))
            : load.alone(Side.AKTIS, "aktis", OwnJvm.RESIDENT);
    return own.alone(Side.JDK, "ForkJoinPool", OwnJvm.RESIDENT)
        .rayOnce()
        .embedded(new AboveJdk(100))
        .separate(new Absolute(700));
  }

  /** With a node of its own, for that of the run has workers of other sessions, and is warm. */
  private static double inNewCluster(Rig rig, OwnJvm child) throws Exception {
    try (Clusters.Cluster cluster = rig.clusters().start(rig.shape(1, rig.setting().tls()))) {
      return child.run(OwnJvm.Task.of(Side.AKTIS, rig.cpus()).at(cluster));
    }
  }

  /**
   * What a process holds that has done some work of each kind and keeps its session or pool; with
   * the daemons and workers that it uses.
   */
  static double resident(OwnJvm.Task task) throws Exception {
    if (task.side() == Side.AKTIS) {
      AktisSession session = task.openSession();
      ActorHandle<Work.Counter> actor = session.actor(Work.Counter::new).remote();
      for (int i = 0; i < ROUNDS; i++) {
        session.get(TaskLoads.submitted(session, BURST));
        actor.call(Work.Counter::noop).get();
        session.put(i).close();
      }
    } else {
      ExecutorService pool = new ForkJoinPool(task.cpus());
      for (int i = 0; i < ROUNDS; i++) {
        TaskLoads.submitAndGetAll(pool, BURST);
      }
    }
    return OwnProcess.residentMegabytes(task.daemons());
  }

  private static Load shutdown(Setting setting) {
    return Load.of(setting, "shutdown_s", Unit.SECONDS)
        .aktis(rig ->
            _ -> {
              AktisSession session = rig.openSession();
              session.task(Work::noop).remote().get();
              return closing(session);
            })
        .jdk(
            "ForkJoinPool",
            rig ->
                _ -> {
                  ForkJoinPool pool = new ForkJoinPool(rig.cpus());
                  pool.submit(Work::noop).get();
                  return closing(pool);
                })
        .rayOnce();
  }

  private static double closing(AutoCloseable what) throws Exception {
    long start = System.nanoTime();
    what.close();
    return (System.nanoTime() - start) / 1e9;
  }

  static double threadsLeft(OwnJvm.Task task) throws Exception {
    return growth(task, OwnProcess::threads);
  }

  static double openFilesLeft(OwnJvm.Task task) throws Exception {
    return growth(task, OwnProcess::openFiles);
  }

  static double memoryLeft(OwnJvm.Task task) throws Exception {
    return growth(task, () -> OwnProcess.residentMegabytes(List.of()));
  }

  /** A number that should be the same after many sessions as after a few. */
  @FunctionalInterface
  private interface Gauge {
    double read() throws Exception;
  }

  private static double growth(OwnJvm.Task task, Gauge gauge) throws Exception {
    cycle(WARM_UP_CYCLES, task);
    double before = gauge.read();
    cycle(CYCLES, task);
    return gauge.read() - before;
  }

  private static void cycle(int times, OwnJvm.Task task) {
    for (int i = 0; i < times; i++) {
      try (AktisSession session = task.openSession()) {
        session.get(TaskLoads.submitted(session, BURST));
        session.put(new byte[1 << 20]).get();
        session.actor(Work.Counter::new).remote().call(Work.Counter::noop).get();
      }
    }
  }
}
