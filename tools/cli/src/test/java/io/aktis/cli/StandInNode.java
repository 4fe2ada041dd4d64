package io.aktis.cli;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcServer;
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
import java.nio.charset.StandardCharsets;
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
  private final NodeDirectory directory;
  private final String behaviour;
  private final CountDownLatch told = new CountDownLatch(1);

  private StandInNode(NodeSettings settings, NodeDirectory directory) {
    this.settings = settings;
    this.directory = directory;
    this.behaviour = behaviour();
  }

  /** All nodes of a cluster have the same labels; {@code die@2} is for the second one. */
  private String behaviour() {
    String[] told = settings.capacity().labels().getOrDefault("behave", "").split("@");
    boolean meant = told.length < 2 || Integer.parseInt(told[1]) == directory.number();
    return meant ? told[0] : "";
  }

  /** Returns the daemons that run and have their files below a directory. */
  static List<Long> running(Path home) {
    return ProcessHandle.allProcesses()
        .filter(process -> environment(process).contains("AKTIS_NODE_DIR=" + home))
        .filter(process -> ProcessMark.of(process).process().isPresent())
        .map(ProcessHandle::pid)
        .toList();
  }

  /** Not the arguments, of which the JDK tells none when the class path is long. */
  private static String environment(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
      return Files.isReadable(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
    } catch (IOException gone) {
      return "";
    }
  }

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    NodeDirectory directory = NodeDirectory.ofSettings(file);
    try {
      new StandInNode(NodeSettings.read(file), directory).serve();
    } catch (IOException | IllegalStateException e) {
      directory.writeFailed(String.valueOf(e.getMessage()));
      System.exit(1);
    }
    System.exit(0); // network threads may still run
  }

  private void serve() throws IOException, InterruptedException {
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
    StatusReply.Builder reply = StatusReply.newBuilder();
    for (String address : addresses()) {
      reply.addNodes(
          NodeStatus.newBuilder()
              .setNode(Id.newBuilder().setOwner(NODE_OWNER).setNumber(reply.getNodesCount() + 1))
              .setAddress(address)
              .setAlive(true)
              .setStoreCapacityBytes(settings.capacity().objectStoreBytes())
              .setNumbers(
                  NodeNumbers.newBuilder()
                      .setTotal(total)
                      .setAvailable(total.toBuilder().setCpuUnits(own.cpuUnits() / 4))));
    }
    return reply
        .setSessionId(settings.sessionId())
        .setEpoch(settings.head() ? 1 : 0)
        .setHeadAddress(settings.head() ? addressSeen : settings.network().headAddress())
        .addPending(
            PendingStatus.newBuilder()
                .setDemand("{cpu: 64}")
                .setCount(3)
                .setReason("no node has 64 CPUs"))
        .build();
  }

  /** Those of all nodes of the session on this machine: they are the cluster. */
  private List<String> addresses() {
    return SessionDirectory.open().liveNodes().stream()
        .filter(node -> node.sessionId().equals(settings.sessionId()))
        .flatMap(node -> node.ready().stream())
        .map(ReadyNode::address)
        .toList();
  }
}
