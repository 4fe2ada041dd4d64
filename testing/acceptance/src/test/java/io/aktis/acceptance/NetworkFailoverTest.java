package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.acceptance.RealCluster.Node;
import io.aktis.testkit.Await;
import io.aktis.testkit.HostNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three machines that can be the head, a fourth with the Redis that they share, and a network whose
 * cables can be pulled. The driver is this machine.
 */
final class NetworkFailoverTest {
  private static final int MACHINES = 3;
  private static final int REDIS = 4;
  private static final Duration MOVE = Duration.ofSeconds(90);

  @TempDir private Path folder;

  private final List<Machine> machines = new ArrayList<>();
  private HostNetwork network;
  private Redis redis;

  @BeforeEach
  void make() throws IOException {
    assumeTrue(HostNetwork.obstacle().isEmpty(), HostNetwork.obstacle());
    assumeTrue(Redis.obstacle().isEmpty(), Redis.obstacle());
    network = HostNetwork.make(REDIS);
    network.joinThisMachine();
    redis =
        Redis.start(
            network.on(REDIS),
            network.address(REDIS),
            6379,
            Files.createDirectory(folder.resolve("redis")));
    for (int number = 1; number <= MACHINES; number++) {
      machines.add(Machine.behind(network.on(number).toArray(String[]::new)));
    }
  }

  @AfterEach
  void nothingIsLeft() {
    if (network == null) {
      return;
    }
    try {
      List<String> left = new ArrayList<>();
      for (Machine machine : machines.reversed()) {
        machine.mustAktis("stop", "--grace", "10");
      }
      for (int number = 1; number <= machines.size(); number++) {
        ProcFiles.processesOfNodes(machine(number).home())
            .forEach(process -> left.add(process.info().toString()));
        network.run(number, "ls", "/dev/shm").lines().forEach(left::add);
      }
      assertThat(left).as("what is left").isEmpty();
    } finally {
      machines.forEach(Machine::close);
      if (redis != null) {
        redis.close();
      }
      network.close();
    }
  }

  private Machine machine(int number) {
    return machines.get(number - 1);
  }

  private Node startCandidate(int number, String... more) {
    List<String> line = new ArrayList<>(List.of("--cpus", "1", "--port"));
    line.addAll(List.of("6380", "--host", network.address(number)));
    line.addAll(List.of("--control-store", redis.url(), "--object-store-memory", "128m"));
    line.addAll(List.of(more));
    return Node.start(machine(number), line);
  }

  private Map<String, Object> statusAt(int number, Node node) {
    return RealCluster.parse(
        machine(number).mustAktis("status", "--json", "--address", node.address()));
  }

  @Test
  void head_whoseCableIsPulled_isFollowedAndEndsAndComesBack() throws IOException {
    Node first = startCandidate(1, "--head");
    Path token = machine(1).home().resolve("token");
    String copy = Files.copy(token, folder.resolve("token")).toString();
    Node second = startCandidate(2, "--address", first.address(), "--token-file", copy);
    Node third = startCandidate(3, "--address", first.address(), "--token-file", copy);
    System.setProperty("aktis.home.dir", machine(1).home().toString());
    try (AktisSession session = Aktis.open(o -> o.address("aktis://" + second.address()));
        Load load = Load.on(session, second)) {
      load.awaitMore(20);
      assertThat(statusAt(2, second)).containsEntry("head", first.address());

      network.cut(1);

      load.awaitMore(20);
      Await.until(
          "another head",
          MOVE,
          () -> List.of(second.address(), third.address()).contains(headAt(2, second)),
          () -> "The status is " + statusAt(2, second));
      Await.until(
          "the head that was cut off to end itself",
          MOVE,
          () -> !first.isAlive(),
          () -> first + " lives");
      load.awaitMore(20);

      network.mend(1);
      Object now = headAt(2, second);
      Node again = startCandidate(1, "--head");

      assertThat(again.session()).isEqualTo(first.session());
      assertThat(statusAt(1, again)).containsEntry("head", now);
      Await.until(
          "all three to be there",
          MOVE,
          () -> ((List<?>) statusAt(3, third).get("nodes")).size() == MACHINES,
          () -> "The status is " + statusAt(3, third));
      assertThat(session.task(Work::node).onNode(again.id()).remote().get(MOVE))
          .isEqualTo(again.id());
      load.awaitMore(20);
    }
  }

  private Object headAt(int number, Node node) {
    return statusAt(number, node).get("head");
  }
}
