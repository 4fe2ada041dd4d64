package io.aktis.cluster.node;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.wire.message.NodeToWorker;
import io.aktis.wire.message.OwnerToWorkerBatch;
import io.aktis.wire.message.WorkerHello;
import io.aktis.wire.message.WorkerReady;
import io.aktis.wire.message.WorkerToNode;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.message.WorkerToOwnerBatch;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A worker process for tests: serves, and does what its owner says in the namespace of a hello. An
 * answer comes back as the worker id of a hello.
 */
final class TestWorkerMain {
  /** Names of what is done before it serves, in the environment. */
  static final String MODE = "TEST_MODE";

  private static WorkerSettings settings;
  private static RpcChannel node;

  private TestWorkerMain() {}

  public static void main(String[] arguments) throws Exception {
    settings = WorkerSettings.read(Path.of(arguments[0]));
    String mode = String.valueOf(System.getenv(MODE));
    if (mode.equals("fail")) {
      System.err.println("the tool says why it cannot start");
      System.exit(7);
    }
    Credentials credentials =
        new Credentials(
            settings.token(), settings.sessionId(), ClusterTls.loadIfAny(settings.tls()));
    ServerServiceDefinition service =
        ServerServiceDefinition.builder(Methods.WORKER)
            .addMethod(
                Methods.WORK, ServerCalls.asyncBidiStreamingCall(answers -> new Work(answers)))
            .build();
    RpcServer server = RpcServer.start(settings.bindHost(), 0, credentials, List.of(service));
    serve(server.port(), credentials);
    System.out.println("ready to serve");
    while (System.in.read() >= 0) {}
    System.exit(0);
  }

  private static void serve(int port, Credentials credentials) {
    node = RpcChannel.open(settings.nodeAddress(), credentials);
    StreamObserver<WorkerToNode> out =
        ClientCalls.asyncBidiStreamingCall(
            node.call(Methods.SERVE),
            new StreamObserver<NodeToWorker>() {
              @Override
              public void onNext(NodeToWorker message) {}

              @Override
              public void onError(Throwable failure) {
                System.exit(1);
              }

              @Override
              public void onCompleted() {
                System.exit(1);
              }
            });
    out.onNext(
        WorkerToNode.newBuilder()
            .setReady(
                WorkerReady.newBuilder()
                    .setWorkerId(settings.workerId())
                    .setAddress(settings.advertisedHost() + ":" + port)
                    .setPid(ProcessHandle.current().pid()))
            .build());
  }

  /** One owner talks to it. */
  private record Work(StreamObserver<WorkerToOwnerBatch> answers)
      implements StreamObserver<OwnerToWorkerBatch> {
    @Override
    public void onNext(OwnerToWorkerBatch batch) {
      String command = batch.getMessages(0).getHello().getNamespace();
      Thread.ofPlatform().start(() -> obey(command));
    }

    private void obey(String command) {
      switch (command) {
        case "oom" -> {
          List<long[]> all = new ArrayList<>();
          while (all.size() < 1_000_000) {
            all.add(new long[1 << 20]);
          }
        }
        case "exit" -> System.exit(5);
        case "leave" -> node.close();
        case "print" -> {
          for (int i = 0; i < 3; i++) {
            System.out.println("out " + i);
          }
          System.err.println("err");
          answer("printed");
        }
        case "children" -> {
          List<String> pids = new ArrayList<>();
          try {
            for (String[] child :
                new String[][] {
                  {"sleep", "1000"}, {"sh", "-c", "setsid sleep 1000 & echo $!; wait"}
                }) {
              Process process = new ProcessBuilder(child).start();
              pids.add(Long.toString(process.pid()));
              if (child[0].equals("sh")) {
                pids.add(process.inputReader().readLine());
              }
            }
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
          answer(String.join(" ", pids));
        }
        case "code" -> answer(settings.code().toString());
        default ->
            answer(
                command.startsWith("-")
                    ? String.valueOf(System.getProperty(command.substring(1)))
                    : String.valueOf(System.getenv(command)));
      }
    }

    private void answer(String text) {
      WorkerHello hello =
          WorkerHello.newBuilder().setWorkerId(text).setPid(ProcessHandle.current().pid()).build();
      answers.onNext(
          WorkerToOwnerBatch.newBuilder()
              .addMessages(WorkerToOwner.newBuilder().setHello(hello))
              .build());
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }
  }
}
