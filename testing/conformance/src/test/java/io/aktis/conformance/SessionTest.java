package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ClusterInfo;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.NodeShape;
import io.aktis.testkit.SessionShape;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Starting sessions. */
@EngineTest(open = false)
class SessionTest {
  @Test
  @OneProcess("a cluster is there before the program")
  @Semantics("1.init.embedded")
  void init_withoutAnAddress_startsAnEngineThatTakesWork() {
    try (AktisSession session = Aktis.init()) {
      assertThat(session.task(() -> 42).remote().get()).isEqualTo(42);
      assertThat(session.id()).isNotBlank();
      assertThat(session.isClosed()).isFalse();
      assertThat(ProcessHandle.current().children()).isEmpty();
    }
  }

  @Test
  @OneProcess("a cluster is reached through sockets")
  @EnabledOnOs(OS.LINUX)
  @Semantics("1.init.embedded")
  void init_withoutAnAddress_opensNoSocket() throws IOException {
    long before = openSockets();
    try (AktisSession session = Aktis.init()) {
      assertThat(session.task(() -> 42).remote().get()).isEqualTo(42);
      assertThat(openSockets()).isEqualTo(before);
    }
  }

  private static long openSockets() throws IOException {
    long sockets = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path file : files) {
        if (Files.readSymbolicLink(file).toString().startsWith("socket:")) {
          sockets++;
        }
      }
    }
    return sockets;
  }

  @Test
  @Semantics("1.init.front")
  void front_withoutASession_saysWhatToDo() {
    assertThat(Aktis.isInitialized()).isFalse();
    assertThatThrownBy(() -> Aktis.put(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Aktis.init()");
  }

  @Test
  @Semantics("1.init.front")
  void front_afterInit_usesThatSession() {
    try (AktisSession session = Aktis.init(Deploy.cpus(1))) {
      assertThat(Aktis.session()).isSameAs(session);
      assertThat(Aktis.isInitialized()).isTrue();
      assertThat(Aktis.task(() -> Aktis.session().id()).remote().get()).isEqualTo(session.id());
    }
    assertThat(Aktis.isInitialized()).isFalse();
  }

  @Test
  @Semantics("1.init.front")
  void front_inATaskOfAnotherSession_usesTheTasksSession() {
    try (AktisSession front = Aktis.init(Deploy.cpus(1));
        AktisSession beside = Aktis.open(Deploy.cpus(1))) {
      assertThat(beside.task(() -> Aktis.session().id()).remote().get()).isEqualTo(beside.id());
      assertThat(front.id()).isNotEqualTo(beside.id());
    }
  }

  @Test
  @Semantics("1.init.unserved")
  void init_addressThatNoEngineServes_saysWhatIsMissing() {
    assertThatThrownBy(() -> Aktis.init("nonsense"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nonsense")
        .hasMessageContaining("aktis-cluster");
    assertThat(Aktis.isInitialized()).isFalse();
  }

  @Test
  @Semantics("1.init.unserved")
  void init_addressWhereNoNodeIs_saysSo() {
    assertThatThrownBy(() -> Aktis.init("aktis://127.0.0.1:1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("127.0.0.1:1");
    assertThat(Aktis.isInitialized()).isFalse();
  }

  @Test
  @Semantics({"1.init.unserved", "1.init.environment"})
  void init_autoWithoutACluster_saysHowToStartOne(@TempDir Path home) {
    ChildJvm.Result result =
        ChildJvm.of(Programs.InitOnly.class)
            .options("-Daktis.home.dir=" + home)
            .environment("AKTIS_ADDRESS", "auto")
            .run();

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains("no cluster", "aktis start --head");
  }

  @Test
  @Semantics("1.init.environment")
  void init_addressInTheEnvironment_usesIt() {
    ChildJvm.Result result =
        ChildJvm.of(Programs.InitOnly.class)
            .environment("AKTIS_ADDRESS", "aktis://127.0.0.1:1")
            .run();

    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains("127.0.0.1:1");
  }

  @Test
  @OneProcess("the nodes of a cluster were started with options of their own")
  @Semantics("1.options.defaults")
  void options_none_takeTheMachine() {
    try (AktisSession session = Aktis.init()) {
      ClusterInfo cluster = session.cluster();
      NodeInfo node = cluster.nodes().getFirst();

      assertThat(cluster.nodes()).hasSize(1);
      assertThat(cluster.total("CPU")).isEqualTo(Runtime.getRuntime().availableProcessors());
      assertThat(cluster.total("GPU")).isZero();
      assertThat(cluster.total("memory")).isBetween(1e6, (double) Runtime.getRuntime().maxMemory());
      assertThat(node.storeCapacityBytes()).isGreaterThan(1 << 20);
      assertThat(node.alive()).isTrue();
      assertThat(session.namespace()).isEqualTo("default");
    }
  }

  @Test
  @OneProcess("the nodes of a cluster were started with options of their own")
  @Semantics("1.options.given")
  void options_given_shapeTheNode() {
    try (AktisSession session =
        Aktis.init(options ->
            options
                .cpus(1.5)
                .gpus(2)
                .memoryBytes(1_000_000)
                .objectStoreBytes(8 << 20)
                .resource("licence", 0.5)
                .label("zone", "a")
                .namespace("blue"))) {
      NodeInfo node = session.cluster().nodes().getFirst();

      assertThat(node.total())
          .containsEntry("CPU", 1.5)
          .containsEntry("GPU", 2.0)
          .containsEntry("memory", 1_000_000.0)
          .containsEntry("licence", 0.5);
      assertThat(node.available()).isEqualTo(node.total());
      assertThat(node.labels()).containsEntry("zone", "a");
      assertThat(node.storeCapacityBytes()).isEqualTo(8 << 20);
      assertThat(session.namespace()).isEqualTo("blue");
    }
  }

  @Test
  @OneProcess("the nodes of a cluster were started with options of their own")
  @Semantics("1.options.environment")
  void options_cpusInAProperty_areTaken() {
    System.setProperty("aktis.cpus", "1.5");
    try (AktisSession session = Aktis.init()) {
      assertThat(session.cluster().total("CPU")).isEqualTo(1.5);
    } finally {
      System.clearProperty("aktis.cpus");
    }
  }

  @ParameterizedTest
  @OneProcess("the nodes of a cluster were started with options of their own")
  @CsvSource({"aktis.cpus,many,AKTIS_CPUS", "aktis.logToDriver,maybe,AKTIS_LOG_TO_DRIVER"})
  @Semantics("1.options.environment")
  void options_inAPropertyThatMakesNoSense_areAnErrorThatNamesIt(
      String property, String value, String variable) {
    System.setProperty(property, value);
    try {
      assertThatThrownBy(Aktis::init)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(property + " or " + variable + " must be ")
          .hasMessageContaining("not '" + value + "'");
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  @Semantics("1.options.pending")
  void options_maxPendingTasks_holdsBackWhoSubmitsMore() throws InterruptedException {
    Gate gate = Gate.closed();
    try (AktisSession session =
        Aktis.init(options -> Deploy.cpus(1).apply(options).maxPendingTasks(3))) {
      for (int i = 0; i < 3; i++) {
        session.run(Gate::pass, gate).remote();
      }
      Thread submitter = new Thread(() -> session.run(Gate::pass, gate).remote().get());
      submitter.start();
      Await.until("the submitter to wait", () -> Interrupted.isWaiting(submitter));

      gate.open();

      submitter.join();
      assertThat(gate.arrivals()).isEqualTo(4);
    }
  }

  @Test
  @OneProcess("the nodes of a cluster are real")
  @Semantics("1.options.nodes")
  void options_virtualNodes_areInTheirOrder() {
    try (AktisSession session =
        Aktis.init(options -> options.node(n -> n.cpus(2)).node(n -> n.cpus(1)))) {
      assertThat(session.cluster().nodes())
          .extracting(node -> node.total().get("CPU"))
          .containsExactly(2.0, 1.0);
    }
  }

  @Test
  @Semantics({"1.options.nodes", "1.options.given"})
  void nodes_several_haveTheirOwnResourcesLabelsAndStores() {
    NodeShape plain = new NodeShape(2, 0, 0, 8 << 20, new TreeMap<>(), new TreeMap<>());
    NodeShape rich =
        new NodeShape(
            1.5,
            2,
            1_000_000,
            4 << 20,
            new TreeMap<>(Map.of("zone", "b")),
            new TreeMap<>(Map.of("licence", 0.5)));
    SessionShape shape = new SessionShape(List.of(plain, rich), options -> options);
    try (AktisSession session = Aktis.init(Deploy.shape(shape).options())) {
      assertThat(session.cluster().nodes())
          .extracting(NodeInfo::id)
          .hasSize(2)
          .doesNotHaveDuplicates();
      NodeInfo second =
          session.cluster().nodes().stream()
              .filter(node -> node.labels().containsKey("zone"))
              .findFirst()
              .orElseThrow();
      assertThat(second.total())
          .containsEntry("CPU", 1.5)
          .containsEntry("GPU", 2.0)
          .containsEntry("memory", 1_000_000.0)
          .containsEntry("licence", 0.5);
      assertThat(second.labels()).containsEntry("zone", "b");
      assertThat(session.cluster().nodes())
          .allMatch(node -> node.available().equals(node.total()))
          .extracting(NodeInfo::storeCapacityBytes)
          .containsExactlyInAnyOrder(8L << 20, 4L << 20);
      assertThat(session.cluster().total("CPU")).isEqualTo(3.5);
      assertThat(session.namespace()).isEqualTo("default");
    }
  }

  @Test
  @Semantics("1.options.contradiction")
  void options_onlyNodeBesideVirtualNodes_isAnError() {
    assertThatThrownBy(() -> Aktis.init(options -> options.cpus(1).node(n -> n.cpus(2))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node");
    assertThat(Aktis.isInitialized()).isFalse();
  }

  @Test
  @Semantics("1.options.address")
  void options_shapeBesideAnAddress_isAnError() {
    assertThatThrownBy(() -> Aktis.init(options -> options.address("aktis://127.0.0.1:1").cpus(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cpus");
  }

  @Test
  @Semantics("1.twice.error")
  void init_twice_namesTheRunningSession() {
    try (AktisSession session = Aktis.init(Deploy.cpus(1))) {
      assertThatThrownBy(Aktis::init)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(session.id());
    }
  }

  @Test
  @Semantics("1.twice.reuse")
  void init_withReuse_givesTheRunningSession() {
    try (AktisSession session = Aktis.init(Deploy.cpus(1))) {
      assertThat(Aktis.init(options -> options.reuseRunning())).isSameAs(session);
    }
  }

  @Test
  @Semantics("1.twice.beside")
  void open_several_areIndependent() {
    try (AktisSession one = Aktis.open(Deploy.cpus(1))) {
      ObjectRef<Integer> ref = one.put(1);
      try (AktisSession two = Aktis.open(Deploy.cpus(1))) {
        assertThat(two.id()).isNotEqualTo(one.id());
        assertThat(two.task(() -> 42).remote().get()).isEqualTo(42);
      }

      assertThat(ref.get()).isEqualTo(1);
      assertThat(one.task(() -> 42).remote().get()).isEqualTo(42);
      assertThat(Aktis.isInitialized()).isFalse();
    }
  }
}
