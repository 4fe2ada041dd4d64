package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.wire.message.Bundle;
import io.aktis.wire.message.BundleId;
import io.aktis.wire.message.BundleReport;
import io.aktis.wire.message.CancelBundles;
import io.aktis.wire.message.ClusterChange;
import io.aktis.wire.message.Commit;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.HealthRequest;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.Prepare;
import io.aktis.wire.message.Resources;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StopRequest;
import io.aktis.wire.message.WatchRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in, what people are told, and how a daemon ends. */
class NodeDoorTest {
  @TempDir Path dir;
  private NodeFixture node;

  @BeforeEach
  void start() throws IOException {
    node = new NodeFixture(dir, 4, List.of());
  }

  @AfterEach
  void end() {
    node.close();
  }

  private static Status status(Throwable failure) {
    return Status.fromThrowable(failure);
  }

  @Test
  void caller_withAWrongToken_isRefusedInWords() throws Exception {
    Credentials wrong = new Credentials("guess", NodeFixture.SESSION);
    try (OwnerClient owner = new OwnerClient(node.daemon.address(), wrong, 7)) {
      Status status = status(owner.end());
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription()).contains("the token is not that of this cluster");
    }
  }

  @Test
  void owner_ofAnotherSessionOrVersion_isRefusedInWords() throws Exception {
    OwnerClient owner = node.connect(7);
    owner.send(OwnerToNode.newBuilder().setHello(owner.hello().setSessionId("other")));
    assertThat(status(owner.end()).getDescription()).contains("session-1, not of other");

    OwnerClient old = node.connect(7);
    old.send(OwnerToNode.newBuilder().setHello(old.hello().setVersion(99)));
    assertThat(status(old.end()).getDescription()).contains("version 99");
  }

  @Test
  void owner_thatIsHereAlready_isRefused() throws Exception {
    node.owner(7);

    OwnerClient again = node.connect(7);
    again.send(OwnerToNode.newBuilder().setHello(again.hello()));

    assertThat(status(again.end()).getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
  }

  @Test
  void owner_thatTalksNonsense_isRefusedAndEnded() throws Exception {
    OwnerClient rude = node.connect(6);
    rude.giveBack(1);
    assertThat(status(rude.end()).getDescription()).contains("must be its hello");

    OwnerClient owner = node.owner(7);
    owner.askFor(owner.ask(1, -1));
    assertThat(status(owner.end()).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    node.awaitAllFree();

    OwnerClient thief = node.owner(8);
    thief.send(OwnerToNode.newBuilder().setGiveBack(owner.id(1)));
    assertThat(status(thief.end()).getDescription())
        .contains("owner 0000000000000008 speaks of what belongs to owner 0000000000000007");
  }

  @Test
  void daemon_whosePortIsInUse_saysWhich() throws Exception {
    NodeConfig config = NodeFixture.config(dir.resolve("b"), 1, List.of(), node.daemon.port());

    assertThatThrownBy(() -> new NodeFixture(dir.resolve("b"), config))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:" + node.daemon.port());
    assertThat(dir.resolve("b/session/workers-" + config.node())).doesNotExist();
  }

  @Test
  void daemon_whoseDirectoryCannotBeMade_saysWhich() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    NodeConfig config = NodeFixture.config(file, 1, List.of(), 0);

    assertThatThrownBy(() -> new NodeFixture(file, config))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the directory " + file.resolve("logs") + " cannot be made");
  }

  /** The report comes before the answer to the commit, and one of bundles that are held before. */
  private static boolean isOfCommittedBundles(NodeToOwner message) {
    return message.hasBundles()
        && message.getBundles().getBundlesList().stream().allMatch(each -> each.getCommitted());
  }

  @Test
  void bundles_arePreparedCommittedLeasedAndRemoved() throws Exception {
    OwnerClient owner = node.owner(7);
    Prepare prepare =
        Prepare.newBuilder()
            .setGroup(owner.id(1))
            .setAttempt(1)
            .addBundles(bundle(0, 2))
            .addBundles(bundle(1, 1))
            .setHoldMs(60_000)
            .build();
    owner.send(OwnerToNode.newBuilder().setPrepare(prepare));
    var prepared = owner.next(NodeToOwner::hasPrepared).getPrepared();
    assertThat(prepared.getDone()).isTrue();
    assertThat(prepared.getIndexesList()).containsExactly(0, 1);
    assertThat(prepared.getNumbers().getAvailable().getCpuUnits()).isEqualTo(10_000);

    owner.send(
        OwnerToNode.newBuilder()
            .setCommit(
                Commit.newBuilder()
                    .setGroup(owner.id(1))
                    .addIndexes(0)
                    .addIndexes(1)
                    .setAttempt(1)));
    BundleReport report = owner.next(NodeDoorTest::isOfCommittedBundles).getBundles();
    assertThat(report.getBundlesList()).hasSize(2);
    assertThat(owner.next(NodeToOwner::hasCommitted).getCommitted().getDone()).isTrue();

    BundleId place = BundleId.newBuilder().setGroup(owner.id(1)).setIndex(1).build();
    owner.askFor(owner.ask(5, 1).setBundle(place));
    assertThat(owner.granted(5).getBundle()).isEqualTo(place);
    owner.send(OwnerToNode.newBuilder().setRemoveGroup(owner.id(1)));
    assertThat(owner.next(NodeToOwner::hasLeaseEnded).getLeaseEnded()).isEqualTo(owner.id(5));
    owner.giveBack(5);
    AtomicBoolean isFree = new AtomicBoolean();
    AtomicBoolean isReported = new AtomicBoolean();
    owner.next(each -> { // in whatever order
      if (each.hasNumbers() && each.getNumbers().getAvailable().getCpuUnits() == 40_000) {
        isFree.set(true);
      }
      if (each.hasBundles() && each.getBundles().getBundlesCount() == 0) {
        isReported.set(true);
      }
      return isFree.get() && isReported.get();
    });
  }

  @Test
  void bundles_thatDoNotFitOrAreCancelled_areNotThere() throws Exception {
    OwnerClient owner = node.owner(7);
    Prepare.Builder prepare = Prepare.newBuilder().setGroup(owner.id(1)).setHoldMs(60_000);
    owner.send(OwnerToNode.newBuilder().setPrepare(prepare.setAttempt(1).addBundles(bundle(0, 9))));
    var refused = owner.next(NodeToOwner::hasPrepared).getPrepared();
    assertThat(refused.getDone()).isFalse();
    assertThat(refused.getRefusal()).isEqualTo("INFEASIBLE");

    owner.send(
        OwnerToNode.newBuilder()
            .setCancelBundles(
                CancelBundles.newBuilder().setGroup(owner.id(1)).addIndexes(0).setAttempt(2)));
    prepare.clearBundles().addBundles(bundle(0, 1));
    owner.send(OwnerToNode.newBuilder().setPrepare(prepare.setAttempt(2)));
    assertThat(owner.next(NodeToOwner::hasPrepared).getPrepared().getRefusal())
        .isEqualTo("STALE_ATTEMPT");
    owner.send(
        OwnerToNode.newBuilder()
            .setCommit(Commit.newBuilder().setGroup(owner.id(1)).addIndexes(0).setAttempt(2)));
    assertThat(owner.next(NodeToOwner::hasCommitted).getCommitted().getDone()).isFalse();
  }

  @Test
  void bundles_whoseOwnerIsGoneOrThatExpire_comeBack() {
    OwnerClient owner = node.owner(7);
    Prepare.Builder prepare =
        Prepare.newBuilder().setGroup(owner.id(1)).setAttempt(1).addBundles(bundle(0, 2));
    owner.send(OwnerToNode.newBuilder().setPrepare(prepare.setHoldMs(100)));
    owner.next(NodeToOwner::hasPrepared);
    owner.next(
        each -> each.hasNumbers() && each.getNumbers().getAvailable().getCpuUnits() == 40_000);

    prepare.setGroup(owner.id(2)).setHoldMs(600_000);
    owner.send(OwnerToNode.newBuilder().setPrepare(prepare));
    owner.next(NodeToOwner::hasPrepared);
    owner.close();
    node.awaitAllFree();
  }

  private static Bundle bundle(int index, int cpus) {
    return Bundle.newBuilder()
        .setIndex(index)
        .setResources(Resources.newBuilder().setCpuUnits(cpus * 10_000L))
        .build();
  }

  @Test
  void people_areToldOfNodesHealthAndUse() {
    StatusReply status = node.status();
    assertThat(status.getSessionId()).isEqualTo(NodeFixture.SESSION);
    assertThat(status.getHeadAddress()).isEqualTo(node.daemon.address());
    assertThat(status.getNodesList()).hasSize(1);
    assertThat(status.getNodes(0).getAlive()).isTrue();
    assertThat(status.getNodes(0).getAddress()).isEqualTo(node.daemon.address());
    assertThat(status.getNodes(0).getStoreUsedBytes()).isEqualTo(10);

    HealthReply health =
        ClientCalls.blockingUnaryCall(
            node.channel().call(Methods.HEALTH, Await.LIMIT_MS),
            HealthRequest.getDefaultInstance());
    assertThat(health.getReady()).as(health.getReason()).isTrue();

    ClusterChange change =
        ClientCalls.blockingServerStreamingCall(
                node.channel().call(Methods.WATCH, Await.LIMIT_MS),
                WatchRequest.newBuilder().setVersion(Credentials.PROTOCOL).build())
            .next();
    assertThat(change.getComplete()).isTrue();
    assertThat(change.getUpList()).hasSize(1);
    assertThat(change.getUp(0).getAddress()).isEqualTo(node.daemon.address());
  }

  @Test
  void stop_ofAnotherSession_isRefused() {
    assertThatThrownBy(() -> stop("other", 0))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("this is the cluster of session session-1, not of 'other'");
    assertThat(node.daemon.stopped()).isNotDone();
  }

  @Test
  void stop_withGrace_waitsForOwnersAndTakesNoNewOnes() throws Exception {
    OwnerClient owner = node.owner(7);
    stop(NodeFixture.SESSION, 60_000);

    OwnerClient late = node.connect(8);
    late.send(OwnerToNode.newBuilder().setHello(late.hello()));
    assertThat(status(late.end()).getDescription()).contains("the node is stopping");
    owner.lease(1);
    owner.complete();

    assertThat(owner.end()).isNull();
    node.daemon.stopped().get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    try (ServerSocket free = new ServerSocket(node.daemon.port())) {
      assertThat(free.isBound()).isTrue();
    }
  }

  @Test
  void close_endsWorkersStreamsPortAndFiles() throws Exception {
    OwnerClient owner = node.owner(7);
    long pid = owner.tell(owner.lease(1), "PATH").getPid();

    node.daemon.close();
    node.daemon.close();

    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
    assertThat(status(owner.end()).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    try (ServerSocket free = new ServerSocket(node.daemon.port())) {
      assertThat(free.isBound()).isTrue();
    }
    try (var left = Files.list(dir.resolve("session"))) {
      assertThat(left).isEmpty();
    }
    assertThat(node.daemon.stopped()).isCompleted();
  }

  @Test
  void daemon_whoseRulesAreBroken_stopsLoudlyAndLeavesNoProcess() throws Exception {
    OwnerClient owner = node.owner(7);
    long pid = owner.tell(owner.lease(1), "PATH").getPid();

    owner.send(OwnerToNode.newBuilder().setDeleteObject(owner.id(NodeFixture.POISON)));

    assertThatThrownBy(() -> node.daemon.stopped().get(Await.LIMIT_MS, TimeUnit.MILLISECONDS))
        .hasMessageContaining("the store breaks");
    assertThat(owner.end()).isNotNull();
    assertThat(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)).isFalse();
  }

  private void stop(String session, long graceMs) {
    ClientCalls.blockingUnaryCall(
        node.channel().call(Methods.STOP, Await.LIMIT_MS),
        StopRequest.newBuilder().setSessionId(session).setGraceMs(graceMs).build());
  }
}
