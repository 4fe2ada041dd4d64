package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aktis.acceptance.RealCluster.Node;
import io.aktis.acceptance.ThreeNodesTest.Demo;
import io.aktis.acceptance.ThreeNodesTest.Example;
import io.aktis.testkit.HostNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Three machines with addresses of their own, one node on each; drivers run on the third. */
final class NetworkTest {
  private static final int MACHINES = 3;

  @TempDir private static Path folder;

  private static HostNetwork network;
  private static final List<Machine> MACHINE = new ArrayList<>();
  private static final List<Node> NODES = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    String obstacle = HostNetwork.obstacle();
    assumeTrue(obstacle.isEmpty(), obstacle);
    network = HostNetwork.make(MACHINES);
    for (int number = 1; number <= MACHINES; number++) {
      MACHINE.add(Machine.behind(network.on(number).toArray(String[]::new)));
    }
    NODES.add(startNode(1, "--head", "--port", "6380", "--host", network.address(1)));
    Path token = MACHINE.getFirst().home().resolve("token");
    for (int number = 2; number <= MACHINES; number++) {
      Path copy = Files.copy(token, folder.resolve("token-" + number));
      NODES.add(
          startNode(
              number, "--address", network.address(1) + ":6380", "--token-file", copy.toString()));
    }
  }

  private static Node startNode(int number, String... more) {
    List<String> line = new ArrayList<>(List.of("--cpus", "1"));
    line.addAll(List.of("--object-store-memory", "128m"));
    line.addAll(List.of(more));
    return Node.start(MACHINE.get(number - 1), line);
  }

  /** Fails when anything is left on any of the machines. */
  @AfterAll
  static void stop() {
    if (network == null) {
      return;
    }
    try {
      List<String> left = new ArrayList<>();
      for (int number = MACHINES; number >= 1; number--) {
        if (number <= NODES.size()) {
          MACHINE.get(number - 1).mustAktis("stop", "--grace", "10");
        }
      }
      for (int number = 1; number <= MACHINES; number++) {
        ProcFiles.processesOfNodes(MACHINE.get(number - 1).home())
            .forEach(process -> left.add(process.info().toString()));
        ProcFiles.listeningPorts(network.pidOn(number))
            .forEach(port -> left.add("somebody listens on port " + port));
        network.run(number, "ls", "/dev/shm").lines().forEach(left::add);
      }
      assertThat(left).as("what is left").isEmpty();
    } finally {
      MACHINE.forEach(Machine::close);
      network.close();
    }
  }

  @Test
  void status_fromAnyMachine_showsAllWithTheirAddresses() {
    for (Machine machine : MACHINE) {
      Map<String, Object> status =
          RealCluster.parse(machine.mustAktis("status", "--json", "--address", "auto"));
      assertThat((List<?>) status.get("nodes"))
          .extracting("address")
          .containsExactlyInAnyOrderElementsOf(NODES.stream().map(Node::address).toList());
      assertThat(status).containsEntry("head", network.address(1) + ":6380");
    }
    assertThat(NODES).extracting(Node::address).allMatch(address -> address.startsWith("10."));
  }

  @Test
  void demo_overTheNetwork_countsAsInOneProcess() {
    assertThat(
            Demo.counts(
                MACHINE
                    .get(2)
                    .mustAktis("demo", "--limit", "20000", "--json", "--address", "auto")))
        .isEqualTo(List.of(2_262, 2_262, 2_262));
  }

  @Test
  void value_madeOnAnotherMachine_comesFromThere() {
    try (Program driver = MACHINE.get(2).startDriver(Drivers.Everywhere.class)) {
      assertThat(driver.awaitSuccess()).contains("nodes 3", "bytes 12582912", "last [42]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void example_overTheNetwork_givesItsResult(Example example) {
    boolean quick =
        List.of(Example.PI, Example.WORD_COUNT, Example.PARAMETER_SERVER).contains(example);
    assumeTrue(Sizes.LONG || quick, "one of the examples for -Daktis.long=true");
    assertThat(example.run(MACHINE.get(2))).contains(example.result());
  }
}
