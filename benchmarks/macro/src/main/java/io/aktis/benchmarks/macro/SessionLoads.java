package io.aktis.benchmarks.macro;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.benchmarks.macro.Budget.AboveJdk;
import io.aktis.benchmarks.macro.Budget.Absolute;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;

/** The life of a session: how fast it begins and ends, what it takes, what it leaves. */
final class SessionLoads {
  private static final int CYCLES = 50;
  private static final int WARM_UP_CYCLES = 10;
  private static final int ROUNDS = 200;
  private static final int BURST = 1_000;

  private SessionLoads() {}

  static List<Load> beginning() {
    return List.of(
        Load.of("init_to_first_result_s", Unit.SECONDS)
            .alone(Side.AKTIS, "aktis", OwnJvm.FIRST_RESULT)
            .alone(Side.JDK, "ForkJoinPool", OwnJvm.FIRST_RESULT)
            .ray()
            .budget(new Absolute(0.15)));
  }

  static List<Load> end() {
    return List.of(
        Load.of("resident_mb", Unit.MEGABYTES)
            .alone(Side.AKTIS, "aktis", OwnJvm.RESIDENT)
            .alone(Side.JDK, "ForkJoinPool", OwnJvm.RESIDENT)
            .rayOnce()
            .budget(new AboveJdk(100)),
        shutdown(),
        left("fifty_init_close_threads", Unit.COUNT, OwnJvm.THREADS, 0),
        left("fifty_init_close_files", Unit.COUNT, OwnJvm.OPEN_FILES, 0),
        left("fifty_init_close_mb", Unit.MEGABYTES, OwnJvm.MEMORY, 10));
  }

  private static Load left(String name, Unit unit, OwnJvm child, double most) {
    return Load.of(name, unit).alone(Side.AKTIS, "aktis", child).budget(new Absolute(most));
  }

  /** The first session of a JVM that runs: its classes are not loaded yet. */
  static double firstResult(Side side, int cpus) throws Exception {
    long start = System.nanoTime();
    if (side == Side.AKTIS) {
      AktisSession session = Aktis.open(options -> options.cpus(cpus));
      session.task(Work::noop).remote().get();
    } else {
      new ForkJoinPool(cpus).submit(Work::noop).get();
    }
    return (System.nanoTime() - start) / 1e9;
  }

  /** What a process holds that has done some work of each kind and keeps its session or pool. */
  static double resident(Side side, int cpus) throws Exception {
    if (side == Side.AKTIS) {
      AktisSession session = Rig.openSession(cpus);
      ActorHandle<Work.Counter> actor = session.actor(Work.Counter::new).remote();
      for (int i = 0; i < ROUNDS; i++) {
        session.get(TaskLoads.submitted(session, BURST));
        actor.call(Work.Counter::noop).get();
        session.put(i).close();
      }
    } else {
      ExecutorService pool = new ForkJoinPool(cpus);
      for (int i = 0; i < ROUNDS; i++) {
        TaskLoads.submitAndGetAll(pool, BURST);
      }
    }
    return OwnProcess.residentMegabytes();
  }

  private static Load shutdown() {
    return Load.of("shutdown_s", Unit.SECONDS)
        .aktis(rig ->
            _ -> {
              AktisSession session = Rig.openSession(rig.cpus());
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

  static double threadsLeft(Side side, int cpus) throws Exception {
    return growth(cpus, OwnProcess::threads);
  }

  static double openFilesLeft(Side side, int cpus) throws Exception {
    return growth(cpus, OwnProcess::openFiles);
  }

  static double memoryLeft(Side side, int cpus) throws Exception {
    return growth(cpus, OwnProcess::residentMegabytes);
  }

  /** A number that should be the same after many sessions as after a few. */
  @FunctionalInterface
  private interface Gauge {
    double read() throws Exception;
  }

  private static double growth(int cpus, Gauge gauge) throws Exception {
    cycle(WARM_UP_CYCLES, cpus);
    double before = gauge.read();
    cycle(CYCLES, cpus);
    return gauge.read() - before;
  }

  private static void cycle(int times, int cpus) {
    for (int i = 0; i < times; i++) {
      try (AktisSession session = Rig.openSession(cpus)) {
        session.get(TaskLoads.submitted(session, BURST));
        session.put(new byte[1 << 20]).get();
        session.actor(Work.Counter::new).remote().call(Work.Counter::noop).get();
      }
    }
  }
}
