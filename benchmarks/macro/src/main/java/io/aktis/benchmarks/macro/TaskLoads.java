package io.aktis.benchmarks.macro;

import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.TaskCall;
import io.aktis.benchmarks.macro.Budget.Absolute;
import io.aktis.benchmarks.macro.Budget.TimesJdk;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Tasks: one by one, many at once, one inside of the other. */
final class TaskLoads {
  private static final int BURST = 1_000;
  private static final int MANY = 100_000;
  private static final int DEPTH = 100_000;
  private static final int PENDING = 1_000_000;

  private TaskLoads() {}

  static List<Load> all() {
    return List.of(sync(), async(), many(), fib(), waiting(), completed(), heap(), nesting());
  }

  private static Load sync() {
    return Load.of("task_sync_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          TaskCall<String> noop = rig.session().task(Work::noop);
          return Probe.rate(1, () -> noop.remote().get());
        })
        .jdk("ForkJoinPool", rig -> submitAndGet(rig.forkJoin()))
        .jdk("fixed pool", rig -> submitAndGet(rig.fixed()))
        .jdk("virtual threads", rig -> submitAndGet(rig.virtual()))
        .jdk(
            "CompletableFuture",
            rig -> {
              ExecutorService pool = rig.forkJoin();
              return Probe.rate(1, () -> CompletableFuture.supplyAsync(Work::noop, pool).get());
            })
        .ray()
        .budget(new TimesJdk(1 / 1.5));
  }

  private static Probe submitAndGet(ExecutorService executor) {
    return Probe.rate(1, () -> executor.submit(Work::noop).get());
  }

  private static Load async() {
    return Load.of("task_async_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.rate(BURST, () -> session.get(submitted(session, BURST)));
        })
        .jdk("virtual threads", rig -> burst(rig.virtual()))
        .jdk("ForkJoinPool", rig -> burst(rig.forkJoin()))
        .jdk("fixed pool", rig -> burst(rig.fixed()))
        .ray()
        .budget(new Absolute(1_000_000));
  }

  private static Probe burst(ExecutorService executor) {
    return Probe.rate(BURST, () -> submitAndGetAll(executor, BURST));
  }

  static List<ObjectRef<String>> submitted(AktisSession session, int count) {
    TaskCall<String> noop = session.task(Work::noop);
    List<ObjectRef<String>> refs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      refs.add(noop.remote());
    }
    return refs;
  }

  static List<String> submitAndGetAll(ExecutorService executor, int count) throws Exception {
    return submitAndGetAll(executor, Work::noop, count);
  }

  static List<String> submitAndGetAll(ExecutorService executor, Callable<String> task, int count)
      throws Exception {
    List<Future<String>> futures = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      futures.add(executor.submit(task));
    }
    List<String> values = new ArrayList<>(count);
    for (Future<String> future : futures) {
      values.add(future.get());
    }
    return values;
  }

  private static Load many() {
    return Load.of("micro_tasks_100k_s", Unit.SECONDS)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.duration(() -> session.get(submitted(session, MANY)));
        })
        .jdk("virtual threads", rig -> Probe.duration(() -> submitAndGetAll(rig.virtual(), MANY)))
        .jdk("ForkJoinPool", rig -> Probe.duration(() -> submitAndGetAll(rig.forkJoin(), MANY)))
        .rayOnce()
        .budget(new TimesJdk(2))
        .budget(new Absolute(0.1));
  }

  private static Load fib() {
    return Load.of("fib_8_nested_s", Unit.SECONDS)
        .aktis(rig -> {
          TaskCall<Integer> fib = rig.session().task(Work::fib, 8);
          return Probe.duration(() -> fib.remote().get());
        })
        .jdk(
            "virtual threads",
            rig -> {
              ExecutorService executor = rig.virtual();
              return Probe.duration(() -> executor.submit(() -> Work.fib(8, executor)).get());
            })
        .rayOnce();
  }

  private static Load waiting() {
    return Load.of("wait_1000_rounds_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.rate(1, () -> waitOneByOne(session));
        })
        .jdk(
            "ForkJoinPool, completion service",
            rig -> Probe.rate(1, () -> takeOneByOne(rig.forkJoin(), BURST)))
        .ray()
        .budget(new Absolute(100));
  }

  private static List<ObjectRef<String>> waitOneByOne(AktisSession session) {
    List<ObjectRef<String>> waiting = submitted(session, BURST);
    while (!waiting.isEmpty()) {
      waiting = session.wait(waiting).notReady();
    }
    return waiting;
  }

  private static Load completed() {
    return Load.of("completed_100k_s", Unit.SECONDS)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.duration(() -> iterateCompleted(session));
        })
        .jdk(
            "ForkJoinPool, completion service",
            rig -> Probe.duration(() -> takeOneByOne(rig.forkJoin(), MANY)))
        .budget(new Absolute(1));
  }

  private static int iterateCompleted(AktisSession session) {
    int done = 0;
    for (ObjectRef<String> ref : session.completed(submitted(session, MANY))) {
      done += ref.isReady() ? 1 : 0;
    }
    return done;
  }

  private static int takeOneByOne(ExecutorService executor, int count) throws InterruptedException {
    ExecutorCompletionService<String> service = new ExecutorCompletionService<>(executor);
    for (int i = 0; i < count; i++) {
      service.submit(Work::noop);
    }
    int done = 0;
    for (int i = 0; i < count; i++) {
      done += service.take().isDone() ? 1 : 0;
    }
    return done;
  }

  private static Load heap() {
    return Load.of("heap_bytes_per_pending_task", Unit.BYTES)
        .alone(Side.AKTIS, "aktis", OwnJvm.PENDING)
        .alone(Side.JDK, "one thread", OwnJvm.PENDING)
        .budget(new Absolute(1024));
  }

  /** Queues tasks of one argument behind one that does not end, and weighs them. */
  static double heapPerPendingTask(Side side, int cpus) throws Exception {
    return side == Side.AKTIS ? heapPerPendingTask(Rig.openSession(1)) : heapPerPendingTask();
  }

  private static double heapPerPendingTask(AktisSession session) throws Exception {
    session.task(Work::hold).remote();
    return growthPer(
        PENDING,
        i -> session.task(Work::same, i).remote(),
        session::cluster); // answered when all that was submitted before has been taken in
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it is weighed, not awaited
  private static double heapPerPendingTask() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<String> first = thread.submit(Work::hold);
    return growthPer(PENDING, i -> thread.submit(() -> Work.same(i)), () -> first);
  }

  private static double growthPer(int count, IntFunction<Object> submit, Probe.Action settle)
      throws Exception {
    Object[] kept = new Object[count];
    try {
      kept[0] = submit.apply(0);
      settle.run();
      long before = OwnProcess.usedHeapBytes();
      for (int i = 0; i < count; i++) {
        kept[i] = submit.apply(i);
      }
      settle.run();
      return (OwnProcess.usedHeapBytes() - before) / (double) count;
    } finally {
      Reference.reachabilityFence(kept);
    }
  }

  private static Load nesting() {
    return Load.of("nested_get_100k_s", Unit.SECONDS)
        .alone(Side.AKTIS, "aktis", OwnJvm.NESTING)
        .alone(Side.JDK, "virtual threads", OwnJvm.NESTING)
        .budget(new Absolute(60));
  }

  /** A chain of tasks each of which waits for the next, on one CPU. */
  static double nesting(Side side, int cpus) throws Exception {
    long start = System.nanoTime();
    int depth;
    if (side == Side.AKTIS) {
      depth = Rig.openSession(1).task(Work::nest, DEPTH).remote().get();
    } else {
      ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
      depth = executor.submit(() -> Work.nest(DEPTH, executor)).get();
    }
    if (depth != DEPTH) {
      throw new IllegalStateException(depth + " levels instead of " + DEPTH);
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
