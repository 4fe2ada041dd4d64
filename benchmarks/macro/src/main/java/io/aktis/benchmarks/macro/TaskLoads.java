package io.aktis.benchmarks.macro;

import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.TaskCall;
import io.aktis.benchmarks.macro.Budget.Absolute;
import io.aktis.benchmarks.macro.Budget.Times;
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
  private static final int GROWN = 10;
  private static final int MANY = 100_000;
  private static final int DEPTH = 100_000;
  private static final int PENDING = 1_000_000;

  private TaskLoads() {}

  static List<Load> all(Setting setting) {
    List<Load> loads = new ArrayList<>();
    loads.addAll(List.of(sync(setting), async(setting), many(setting), fib(setting)));
    loads.add(waiting(setting));
    if (setting.isSeparate()) {
      loads.add(waitGrowth(setting));
    }
    loads.addAll(List.of(completed(setting), heap(setting), nesting(setting)));
    return loads;
  }

  private static Load sync(Setting setting) {
    return Load.of(setting, "task_sync_per_s", Unit.PER_SECOND)
        .aktis(rig -> oneByOne(rig.session()))
        .plain(rig -> oneByOne(rig.plainSession()))
        .grpc(rig -> Probe.rate(1, () -> rig.peer().stream().roundTrips(1)))
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
        .embedded(new Times(Side.JDK, 1 / 1.5))
        .separate(new Times(Side.GRPC, 0.5));
  }

  private static Probe oneByOne(AktisSession session) {
    TaskCall<String> noop = session.task(Work::noop);
    return Probe.rate(1, () -> noop.remote().get());
  }

  private static Probe submitAndGet(ExecutorService executor) {
    return Probe.rate(1, () -> executor.submit(Work::noop).get());
  }

  private static Load async(Setting setting) {
    return Load.of(setting, "task_async_per_s", Unit.PER_SECOND)
        .aktis(rig -> burst(rig.session()))
        .plain(rig -> burst(rig.plainSession()))
        .grpc(rig -> Probe.rate(BURST, () -> rig.peer().stream().roundTrips(BURST)))
        .jdk("virtual threads", rig -> burstOf(rig.virtual()))
        .jdk("ForkJoinPool", rig -> burstOf(rig.forkJoin()))
        .jdk("fixed pool", rig -> burstOf(rig.fixed()))
        .ray()
        .embedded(new Absolute(1_000_000));
  }

  private static Probe burst(AktisSession session) {
    return Probe.rate(BURST, () -> session.get(submitted(session, BURST)));
  }

  private static Probe burstOf(ExecutorService executor) {
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

  private static Load many(Setting setting) {
    return Load.of(setting, "micro_tasks_100k_s", Unit.SECONDS)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.duration(() -> session.get(submitted(session, MANY)));
        })
        .jdk("virtual threads", rig -> Probe.duration(() -> submitAndGetAll(rig.virtual(), MANY)))
        .jdk("ForkJoinPool", rig -> Probe.duration(() -> submitAndGetAll(rig.forkJoin(), MANY)))
        .grpc(rig -> Probe.duration(() -> rig.peer().stream().roundTrips(MANY)))
        .rayOnce()
        .embedded(new Times(Side.JDK, 2))
        .embedded(new Absolute(0.1))
        .separate(new Absolute(MANY / 150_000.0));
  }

  private static Load fib(Setting setting) {
    return Load.of(setting, "fib_8_nested_s", Unit.SECONDS)
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

  private static Load waiting(Setting setting) {
    return Load.of(setting, "wait_1000_rounds_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.rate(1, () -> waitOneByOne(session, BURST));
        })
        .jdk(
            "ForkJoinPool, completion service",
            rig -> Probe.rate(1, () -> takeOneByOne(rig.forkJoin(), BURST)))
        .ray()
        .embedded(new Absolute(100));
  }

  /** How many times as long each takes of ten times as many: 1 where the cost is linear. */
  private static Load waitGrowth(Setting setting) {
    return Load.of(setting, "wait_10000_per_1000", Unit.COUNT)
        .aktis(rig -> {
          AktisSession session = rig.session();
          Probe few = Probe.duration(() -> waitOneByOne(session, BURST));
          Probe many = Probe.duration(() -> waitOneByOne(session, GROWN * BURST));
          return seconds -> many.measure(seconds / 2) / few.measure(seconds / 2) / GROWN;
        })
        .separate(new Absolute(2));
  }

  private static List<ObjectRef<String>> waitOneByOne(AktisSession session, int count) {
    List<ObjectRef<String>> waiting = submitted(session, count);
    while (!waiting.isEmpty()) {
      waiting = session.wait(waiting).notReady();
    }
    return waiting;
  }

  private static Load completed(Setting setting) {
    return Load.of(setting, "completed_100k_s", Unit.SECONDS)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.duration(() -> iterateCompleted(session));
        })
        .jdk(
            "ForkJoinPool, completion service",
            rig -> Probe.duration(() -> takeOneByOne(rig.forkJoin(), MANY)))
        .embedded(new Absolute(1));
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

  private static Load heap(Setting setting) {
    return Load.of(setting, "heap_bytes_per_pending_task", Unit.BYTES)
        .alone(Side.AKTIS, "aktis", OwnJvm.PENDING)
        .alone(Side.JDK, "one thread", OwnJvm.PENDING)
        .budget(new Absolute(1024));
  }

  /** Queues tasks of one argument behind one that does not end, and weighs them. */
  static double heapPerPendingTask(OwnJvm.Task task) throws Exception {
    return task.side() == Side.AKTIS
        ? heapPerPendingTask(task.withCpus(1).openSession())
        : heapPerPendingTask();
  }

  private static double heapPerPendingTask(AktisSession session) throws Exception {
    int cpus = (int) session.cluster().total("CPU");
    for (int i = 0; i < cpus; i++) {
      session.task(Work::hold).remote();
    }
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

  private static Load nesting(Setting setting) {
    return Load.of(setting, "nested_get_100k_s", Unit.SECONDS)
        .alone(Side.AKTIS, "aktis", OwnJvm.NESTING)
        .alone(Side.JDK, "virtual threads", OwnJvm.NESTING)
        .budget(new Absolute(60));
  }

  /** A chain of tasks each of which waits for the next, on one CPU. */
  static double nesting(OwnJvm.Task task) throws Exception {
    long start = System.nanoTime();
    int depth;
    if (task.side() == Side.AKTIS) {
      depth = task.withCpus(1).openSession().task(Work::nest, DEPTH).remote().get();
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
