package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.membership.Membership;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.ClusterChange;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.StopRequest;
import io.aktis.wire.message.WatchRequest;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons, and a third member that is not there any more. */
class NodeClusterTest {
  private static final Membership.Member LOST =
      new Membership.Member(new NodeId(9, 9), "127.0.0.1:1", "machine", false);

  @TempDir Path dir;
  private final Board board = new Board();
  private NodeFixture first;
  private NodeFixture second;

  private NodeFixture start(String name, long number) throws IOException {
    Path own = dir.resolve(name);
    NodeId id = new NodeId(11, number);
    return new NodeFixture(own, NodeFixture.config(own, 2, List.of(), 0, id), board::join);
  }

  @BeforeEach
  void start() throws IOException {
    first = start("a", 1);
    second = start("b", 2);
    board.up(LOST);
  }

  @AfterEach
  void end() {
    first.close();
    second.close();
  }

  @Test
  void status_ofACluster_hasAllMembersAndSaysWhoIsDead() {
    List<NodeStatus> nodes = first.status().getNodesList();

    assertThat(nodes).extracting(NodeStatus::getAlive).containsExactly(true, true, false);
    assertThat(nodes)
        .extracting(NodeStatus::getAddress)
        .containsExactly(first.daemon.address(), second.daemon.address(), LOST.address());
    assertThat(nodes.get(1).getNumbers().getTotal().getCpuUnits()).isEqualTo(20_000);
  }

  @Test
  void watch_ofACluster_hearsOfChanges() {
    var changes =
        ClientCalls.blockingServerStreamingCall(
            first.channel().call(Methods.WATCH, Await.LIMIT_MS),
            WatchRequest.newBuilder().setVersion(Credentials.PROTOCOL).build());
    assertThat(changes.next().getUpList()).hasSize(3);

    board.gone(LOST);
    ClusterChange change = changes.next();
    assertThat(change.getGoneList()).containsExactly(WireIds.of(LOST.id()));
    assertThat(change.getUpList()).isEmpty();
  }

  @Test
  void stop_ofAWholeCluster_endsAllDaemons() throws Exception {
    ClientCalls.blockingUnaryCall(
        first.channel().call(Methods.STOP, Await.LIMIT_MS),
        StopRequest.newBuilder().setSessionId(NodeFixture.SESSION).setWholeCluster(true).build());

    first.daemon.stopped().get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    second.daemon.stopped().get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    assertThat(board.members()).containsExactly(LOST);
  }

  @Test
  void daemon_thatIsNotTakenIn_isNotReady() throws Exception {
    Path own = dir.resolve("c");
    Membership empty = new Board().join(LOST);
    NodeConfig config = NodeFixture.config(own, 1, List.of(), 0, new NodeId(11, 3));
    try (NodeFixture lonely = new NodeFixture(own, config, self -> empty)) {
      HealthReply health =
          ClientCalls.blockingUnaryCall(
              lonely.channel().call(Methods.HEALTH, Await.LIMIT_MS),
              HealthRequest.getDefaultInstance());
      assertThat(health.getReady()).isFalse();
      assertThat(health.getReason()).contains("joining");
    }
  }

  @Test
  void daemon_whoseJoiningFails_leavesNothing() {
    Path own = dir.resolve("d");
    NodeConfig config = NodeFixture.config(own, 1, List.of(), 0, new NodeId(11, 4));

    assertThatThrownBy(() ->
            new NodeFixture(
                own,
                config,
                self -> {
                  throw new IOException("the head at x:1 does not answer");
                }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not answer");
    assertThat(own.resolve("session").resolve("workers-" + config.node())).doesNotExist();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("aktis-node-" + config.node());
  }
}
