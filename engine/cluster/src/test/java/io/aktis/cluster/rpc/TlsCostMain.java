package io.aktis.cluster.rpc;

import io.aktis.cluster.tls.ClusterCa;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.cluster.tls.TlsFiles;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Measures what TLS costs small calls: messages go from this JVM to another one and back, on one
 * bidirectional stream, with and without TLS by turns. Not a test: run by hand, see {@code
 * docs/operating/security.md}.
 */
final class TlsCostMain {
  private static final int MESSAGE_BYTES = 100;
  private static final int WARM_UPS = 8;
  private static final int ROUNDS = 41;
  private static final long ROUND_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("measure/echo")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private TlsCostMain() {}

  /** Without arguments it measures; with a directory of certificates it is the other JVM. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      serve(TlsFiles.in(Path.of(arguments[0])));
      return;
    }
    Path directory = Files.createTempDirectory("aktis-tls-cost");
    TlsFiles files = ClusterCa.init(directory, List.of());
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TlsCostMain.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader ports = other.inputReader()) {
      String plain = "127.0.0.1:" + ports.readLine();
      String encrypted = "127.0.0.1:" + ports.readLine();
      Optional<ClusterTls> tls = Optional.of(ClusterTls.load(files));
      for (int window : new int[] {1, 100}) {
        compare(window, plain, encrypted, tls, other.toHandle());
      }
    } finally {
      other.destroy();
      for (String name : List.of("ca.pem", "ca-key.pem", "node.pem", "node-key.pem", "")) {
        Files.deleteIfExists(directory.resolve(name));
      }
    }
  }

  private static void serve(TlsFiles files) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("measure")
            .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(TlsCostMain::echo))
            .build();
    for (Optional<ClusterTls> tls :
        List.of(Optional.<ClusterTls>empty(), Optional.of(ClusterTls.load(files)))) {
      RpcServer server =
          RpcServer.start(
              "127.0.0.1", 0, HealthServer.with(HealthServer.CREDENTIALS, tls), List.of(service));
      System.out.println(server.port());
    }
    System.in.read(); // until the first JVM ends
  }

  private static StreamObserver<byte[]> echo(StreamObserver<byte[]> back) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] message) {
        back.onNext(message);
      }

      @Override
      public void onError(Throwable error) {}

      @Override
      public void onCompleted() {
        back.onCompleted();
      }
    };
  }

  /** Of the rounds of one kind: how fast each was, and what all cost on both processes together. */
  private static final class Side {
    final String address;
    final Optional<ClusterTls> tls;
    final List<Double> perSecond = new ArrayList<>();
    long messages;
    long cpuNs;

    Side(String address, Optional<ClusterTls> tls) {
      this.address = address;
      this.tls = tls;
    }

    void round(int window, ProcessHandle other, boolean counts) throws InterruptedException {
      long cpuBefore = cpuNs(other);
      long startNs = System.nanoTime();
      long sent = exchange(window, address, tls);
      long tookNs = System.nanoTime() - startNs;
      if (counts) {
        messages += sent;
        cpuNs += cpuNs(other) - cpuBefore;
        perSecond.add(sent * 1e9 / tookNs);
      }
    }

    private static long cpuNs(ProcessHandle other) {
      return cpuNsOf(other) + cpuNsOf(ProcessHandle.current());
    }

    private static long cpuNsOf(ProcessHandle process) {
      return process.info().totalCpuDuration().orElseThrow().toNanos();
    }

    double cpuUs() {
      return cpuNs / 1e3 / messages;
    }
  }

  private static void compare(
      int window, String plain, String encrypted, Optional<ClusterTls> tls, ProcessHandle other)
      throws InterruptedException {
    Side without = new Side(plain, Optional.empty());
    Side with = new Side(encrypted, tls);
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      without.round(window, other, round >= 0);
      with.round(window, other, round >= 0);
    }
    double[] ratios = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      ratios[i] = with.perSecond.get(i) / without.perSecond.get(i);
    }
    Arrays.sort(ratios);
    System.out.printf(
        "%d under way: %,.0f messages/s without TLS, %,.0f with (medians); ratio by round: median"
            + " %.2f, half of them %.2f to %.2f; CPU of both processes %.1f and %.1f us a message,"
            + " ratio %.2f%n",
        window,
        median(without.perSecond),
        median(with.perSecond),
        ratios[ROUNDS / 2],
        ratios[ROUNDS / 4],
        ratios[ROUNDS * 3 / 4],
        without.cpuUs(),
        with.cpuUs(),
        without.cpuUs() / with.cpuUs());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** Returns how many messages went there and back. */
  private static long exchange(int window, String address, Optional<ClusterTls> tls)
      throws InterruptedException {
    Semaphore free = new Semaphore(window);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try (RpcChannel channel =
        RpcChannel.open(address, HealthServer.with(HealthServer.CREDENTIALS, tls))) {
      StreamObserver<byte[]> stream =
          ClientCalls.asyncBidiStreamingCall(channel.call(ECHO), counter(free, failure));
      byte[] message = new byte[MESSAGE_BYTES];
      free.acquire();
      stream.onNext(message);
      free.acquire(window); // connected
      free.release(window);
      long startNs = System.nanoTime();
      long sent = 0;
      while (System.nanoTime() - startNs < ROUND_NS && failure.get() == null) {
        free.acquire();
        stream.onNext(message);
        sent++;
      }
      free.acquire(window);
      if (failure.get() != null) {
        throw new IllegalStateException(RpcFailure.describe(address, failure.get()));
      }
      return sent;
    }
  }

  private static StreamObserver<byte[]> counter(
      Semaphore free, AtomicReference<@Nullable Throwable> failure) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] message) {
        free.release();
      }

      @Override
      public void onError(Throwable error) {
        failure.set(error);
        free.release(1_000_000);
      }

      @Override
      public void onCompleted() {}
    };
  }
}
