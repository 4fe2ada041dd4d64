package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.NodeDiedException;
import io.aktis.NodeInfo;
import io.aktis.ObjectLostException;
import io.aktis.ObjectRef;
import io.aktis.acceptance.RealCluster.Node;
import io.aktis.testkit.Await;
import io.aktis.testkit.HostNetwork;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cluster on another machine, and a driver on this one whose cable is pulled. */
final class CutDriverTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private HostNetwork network;
  private Machine machine;

  @BeforeEach
  void make() {
    assumeTrue(HostNetwork.obstacle().isEmpty(), HostNetwork.obstacle());
    network = HostNetwork.make(1);
    network.joinThisMachine();
    machine = Machine.behind(network.on(1).toArray(String[]::new));
  }

  @AfterEach
  void nothingIsLeft() {
    if (network == null) {
      return;
    }
    try {
      machine.mustAktis("stop", "--grace", "10");
      assertThat(ProcFiles.processesOfNodes(machine.home())).isEmpty();
      assertThat(network.run(1, "ls", "/dev/shm")).isBlank();
    } finally {
      machine.close();
      network.close();
    }
  }

  @Test
  void driver_thatWasCutOffForLong_usesTheNodeAgain() {
    String address = network.address(1);
    Node node =
        Node.start(machine, List.of("--head", "--cpus", "1", "--host", address, "--port", "6380"));
    System.setProperty("aktis.home.dir", machine.home().toString());
    try (AktisSession session = Aktis.open(o -> o.address("aktis://" + node.address()))) {
      ObjectRef<byte[]> lost = session.put(new byte[1 << 20]);
      assertThat(session.task(Work::node).remote().get()).isEqualTo(node.id());

      network.cut(1);
      awaitNodes(session, 0);
      assertThatThrownBy(() -> session.put(new byte[1 << 20]))
          .isInstanceOf(NodeDiedException.class)
          .hasMessageContaining(node.address());

      network.mend(1);
      awaitNodes(session, 1);
      assertThat(session.task(Work::node).remote().get(LIMIT)).isEqualTo(node.id());
      assertThat(session.put(new byte[1 << 20]).get(LIMIT)).hasSize(1 << 20);
      assertThatThrownBy(() -> lost.get(LIMIT)).isInstanceOf(ObjectLostException.class);
    }
  }

  private static void awaitNodes(AktisSession session, int count) {
    Await.until(
        count + " nodes",
        LIMIT,
        () -> session.cluster().nodes().stream().filter(NodeInfo::alive).count() == count,
        () -> "There are " + session.cluster().nodes());
  }
}
