package io.aktis.cli;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.cluster.session.HostPort;
import io.aktis.cluster.session.NodeDirectory;
import io.aktis.cluster.session.NodeSettings;
import io.aktis.cluster.session.ProcessMark;
import io.aktis.cluster.session.ReadyNode;
import io.aktis.cluster.session.SessionDirectory;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.id.NodeId;
import io.aktis.wire.message.HealthReply;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.NodeNumbers;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.PendingStatus;
import io.aktis.wire.message.Resources;
import io.aktis.wire.message.StatusReply;
import io.aktis.wire.message.StopReply;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A node daemon for the tests of the commands: it keeps the contract with whoever starts it and
 * answers people, and does no work. Its label {@code behave} says what goes wrong.
 */
final class StandInNode {
  private static final long NODE_OWNER = 0x1234_5678_9abc_def0L;

  private final NodeSettings settings;
  private final String behaviour;
  private final CountDownLatch told = new CountDownLatch(1);

  private StandInNode(NodeSettings settings) {
    this.settings = settings;
    this.behaviour = settings.capacity().labels().getOrDefault("behave", "");
  }

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    NodeDirectory directory = NodeDirectory.ofSettings(file);
    try {
      new StandInNode(NodeSettings.read(file)).serve(directory);
    } catch (IOException | IllegalStateException e) {
      directory.writeFailed(String.valueOf(e.getMessage()));
      System.exit(1);
    }
    System.exit(0); // network threads may still run
  }

  private void serve(NodeDirectory directory) throws IOException, InterruptedException {
    System.out.println("stand-in starts");
    Files.writeString(settings.places().storeDir().resolve("store"), "mapped");
    switch (behaviour) {
      case "fail" -> throw new IllegalStateException("the disk\nis on fire");
      case "die" -> System.exit(7);
      case "never-ready" -> told.await();
      case "child" -> new ProcessBuilder("sleep", "600").start();
      default -> {}
    }
    String token = SessionDirectory.readToken(settings.places().tokenFile());
    try (RpcServer server =
        RpcServer.start(
            settings.network().bindHost(),
            settings.network().port(),
            new Credentials(
                token, settings.sessionId(), ClusterTls.loadIfAny(settings.places().tls())),
            List.of(control()))) {
      String address = new HostPort(settings.network().advertisedHost(), server.port()).toString();
      addressSeen = address;
      directory.writeReady(
          new ReadyNode(
              settings.sessionId(),
              new NodeId(NODE_OWNER, directory.number()).toString(),
              address,
              address,
              ProcessMark.current()));
      told.await();
    }
    System.out.println("stand-in ends");
  }

  private volatile String addressSeen = "";

  private ServerServiceDefinition control() {
    return ServerServiceDefinition.builder(Methods.CONTROL)
        .addMethod(Methods.STATUS, ServerCalls.asyncUnaryCall((_, out) -> answer(out, status())))
        .addMethod(
            Methods.HEALTH,
            ServerCalls.asyncUnaryCall((_, out) ->
                answer(
                    out,
                    HealthReply.newBuilder()
                        .setReady(!behaviour.equals("sick"))
                        .setReason(behaviour.equals("sick") ? "it has a cold" : "")
                        .build())))
        .addMethod(
            Methods.STOP,
            ServerCalls.asyncUnaryCall((request, out) -> {
              answer(out, StopReply.getDefaultInstance());
              boolean mine = request.getSessionId().equals(settings.sessionId());
              if (mine && !behaviour.equals("deaf")) {
                told.countDown();
              }
            }))
        .build();
  }

  private static <T> void answer(StreamObserver<T> out, T reply) {
    out.onNext(reply);
    out.onCompleted();
  }

  private StatusReply status() {
    var own = settings.capacity().resources();
    Resources total =
        Resources.newBuilder()
            .setCpuUnits(own.cpuUnits())
            .setGpuUnits(own.gpuUnits())
            .setMemoryBytes(own.memoryBytes())
            .putAllCustomUnits(own.customUnits())
            .build();
    NodeStatus node =
        NodeStatus.newBuilder()
            .setNode(Id.newBuilder().setOwner(NODE_OWNER).setNumber(1))
            .setAddress(addressSeen)
            .setAlive(true)
            .setStoreCapacityBytes(settings.capacity().objectStoreBytes())
            .setNumbers(
                NodeNumbers.newBuilder()
                    .setTotal(total)
                    .setAvailable(total.toBuilder().setCpuUnits(own.cpuUnits() / 4)))
            .build();
    return StatusReply.newBuilder()
        .setSessionId(settings.sessionId())
        .setHeadAddress(settings.head() ? addressSeen : settings.network().headAddress())
        .addNodes(node)
        .addPending(
            PendingStatus.newBuilder()
                .setDemand("{cpu: 64}")
                .setCount(3)
                .setReason("no node has 64 CPUs"))
        .build();
  }
}
