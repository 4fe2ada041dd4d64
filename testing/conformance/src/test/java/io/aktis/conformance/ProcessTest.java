package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.RuntimeEnv;
import io.aktis.WorkerDiedException;
import io.aktis.testkit.Await;
import io.aktis.testkit.Deployment;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What holds because nodes and workers are processes of their own. */
@EngineTest(cpus = 2)
class ProcessTest {
  private static final Duration JOB_END = Duration.ofSeconds(15);
  private static final AtomicInteger COUNTED = new AtomicInteger();
  private static final AtomicReference<ObjectRef<byte[]>> KEPT = new AtomicReference<>();

  static final class Counter {
    private int count;

    int next() {
      return ++count;
    }

    int exit() {
      System.exit(3);
      return 0;
    }
  }

  @Test
  @SeveralProcesses("a task of the same process sees what the program sees")
  @Semantics("2.values.copy")
  void statics_ofTheProgram_areNotThoseOfItsTasks() {
    COUNTED.set(7);

    assertThat(Aktis.task(() -> COUNTED.incrementAndGet()).remote().get()).isEqualTo(1);
    assertThat(COUNTED).hasValue(7);
  }

  @Test
  @SeveralProcesses("the task would end the program")
  @Semantics("2.failure.exit")
  void exit_inATask_endsThatTaskOnly() {
    ObjectRef<Void> exits = Aktis.run(() -> System.exit(3)).maxRetries(0).isolated().remote();
    ObjectRef<Void> halts =
        Aktis.run(() -> Runtime.getRuntime().halt(4)).maxRetries(0).isolated().remote();

    assertThatThrownBy(exits::get).isInstanceOf(WorkerDiedException.class);
    assertThatThrownBy(halts::get)
        .isInstanceOf(WorkerDiedException.class)
        .hasMessageContaining("exit code 4");
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @SeveralProcesses("the task would end the program")
  @Semantics({"2.failure.exit", "2.retries.node"})
  void exit_inATaskThatSharesItsProcess_othersAreRunAgain() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> bystander = Aktis.task(TaskTest::afterGate, gate, 42).remote();
    gate.awaitArrivals(1);

    ObjectRef<Void> exits = Aktis.run(() -> System.exit(3)).maxRetries(0).remote();

    assertThatThrownBy(exits::get).isInstanceOf(WorkerDiedException.class);
    gate.awaitArrivals(2);
    gate.open();
    assertThat(bystander.get()).isEqualTo(42);
  }

  @Test
  @SeveralProcesses("the actor would end the program")
  @Semantics({"2.failure.exit", "4.failure.restart"})
  void exit_inAnActor_endsItAndItIsMadeAgain() {
    try (ActorHandle<Counter> actor = Aktis.actor(Counter::new).maxRestarts(1).remote()) {
      assertThat(actor.call(Counter::next).get()).isEqualTo(1);
      ObjectRef<Integer> exits = actor.call(Counter::exit);

      assertThatThrownBy(exits::get).hasMessageContaining("Counter");
      assertThat(actor.call(Counter::next).get()).isEqualTo(1);
    }
  }

  @Test
  @SeveralProcesses("all tasks are in one process")
  @Semantics("2.options.isolated")
  void isolated_task_hasAProcessOfItsOwn() {
    long shared = Aktis.task(ProcessTest::pid).remote().get();
    long isolated = Aktis.task(ProcessTest::pid).isolated().remote().get();

    assertThat(Aktis.task(ProcessTest::pid).remote().get()).isEqualTo(shared);
    assertThat(List.of(shared, ProcessHandle.current().pid())).doesNotContain(isolated);
  }

  @Test
  @SeveralProcesses("all tasks are in one process")
  @Semantics({"2.options.isolated", "3.released.collected"})
  void references_ofAnIsolatedProcess_areLetGoWithIt(AktisSession session) {
    long pid =
        Aktis.task(
                () -> {
                  KEPT.set(Aktis.put(new byte[5 << 20]));
                  return ProcessHandle.current().pid();
                })
            .isolated()
            .remote()
            .get();

    Await.until(
        "process " + pid + " and what it held to be gone",
        () -> session.cluster().nodes().getFirst().storeUsedBytes() == 0);
  }

  @Test
  @EngineTest(gpus = 2)
  @SeveralProcesses("no task has an environment of its own")
  @Semantics("6.environment")
  void gpus_ofATask_areInTheEnvironmentOfItsProcess() {
    assertThat(Aktis.task(ProcessTest::visibleGpus).gpus(2).remote().get()).isEqualTo("0,1");
    assertThat(Aktis.task(ProcessTest::visibleGpus).gpus(1).remote().get()).isIn("0", "1");
  }

  @Test
  @SeveralProcesses("no task has an environment of its own")
  @Semantics("7.env.variables")
  void variables_ofATask_areInTheEnvironmentOfItsProcess() {
    RuntimeEnv env = RuntimeEnv.NONE.variable("COLOUR", "blue");

    assertThat(Aktis.task(() -> System.getenv("COLOUR")).runtimeEnv(env).remote().get())
        .isEqualTo("blue");
    assertThat(Aktis.task(() -> System.getenv("COLOUR")).remote().get()).isNull();
  }

  @Test
  @SeveralProcesses("there is nobody who could find it")
  @Semantics("1.init.foreign")
  void session_besideAnotherCluster_hasItsOwnNodesOnly(AktisSession session) {
    try (AktisSession other = Aktis.open(Deploy.cpus(1))) {
      assertThat(other.cluster().nodes())
          .hasSize(1)
          .extracting(NodeInfo::id)
          .doesNotContainAnyElementsOf(
              session.cluster().nodes().stream().map(NodeInfo::id).toList());
    }
  }

  @Test
  @SeveralProcesses("the work dies with the program")
  @Semantics("1.killed")
  void driver_killed_itsJobEnds(AktisSession session) throws Exception {
    Gate gate = Gate.closed();
    Deployment nodes = Deploy.node(2);
    Process driver = ChildJvm.of(Programs.HoldsACpu.class).on(nodes).arguments(gate.id()).start();
    gate.awaitArrivals(1);
    assertThat(session.cluster().available("CPU")).isLessThan(2);

    driver.destroyForcibly().waitFor();

    Await.until(
        "the CPU of the killed driver's task to be free",
        JOB_END,
        () -> session.cluster().available("CPU") == 2,
        () -> "There is " + session.cluster());
  }

  @Test
  @SeveralProcesses("tasks write to the streams of the program")
  @Semantics("1.options.logs")
  void output_ofATask_comesToTheDriver() {
    ChildJvm.Result result = ChildJvm.of(Programs.Prints.class).on(Deploy.node(2)).run();

    assertThat(result.output()).contains("a line of a task").contains("an error of a task");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @SeveralProcesses("tasks write to the streams of the program")
  @Semantics("1.options.logs")
  void output_thatIsSwitchedOff_staysOnTheNodes() {
    ChildJvm.Result result =
        ChildJvm.of(Programs.PrintsToTheNodesOnly.class).on(Deploy.node(2)).run();

    assertThat(result.output()).contains("the task is done").doesNotContain("of a task");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  @SeveralProcesses("tasks write to the streams of the program")
  @Semantics("1.options.logs")
  void output_thatTheEnvironmentSwitchesOff_staysOnTheNodes() {
    ChildJvm.Result result =
        ChildJvm.of(Programs.Prints.class)
            .on(Deploy.node(2))
            .environment("AKTIS_LOG_TO_DRIVER", "false")
            .run();

    assertThat(result.output()).doesNotContain("of a task");
    assertThat(result.exitCode()).isZero();
  }

  static long pid() {
    return ProcessHandle.current().pid();
  }

  static String visibleGpus() {
    return System.getenv("CUDA_VISIBLE_DEVICES");
  }
}
