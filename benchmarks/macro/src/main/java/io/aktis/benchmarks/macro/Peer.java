package io.aktis.benchmarks.macro;

import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM without an engine: it sends back what comes over a bare gRPC stream, and takes what
 * comes over a bare socket into memory. Confined to the thread of the bench.
 */
final class Peer implements AutoCloseable {
  private static final long END_SECONDS = 10;
  private static final int CHUNK_BYTES = 1 << 20;

  private final Process process;
  private final BareStream stream;
  private final BareSocket socket;

  private Peer(Process process, BareStream stream, BareSocket socket) {
    this.process = process;
    this.stream = stream;
    this.socket = socket;
  }

  /**
   * Starts the other JVM.
   *
   * @param certificates a directory with certificates for the stream; empty for no TLS
   */
  static Peer start(Optional<Path> certificates) throws IOException {
    List<String> line = OwnJvm.commandLine(List.of(), Peer.class);
    certificates.ifPresent(directory -> line.add(directory.toString()));
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    boolean started = false;
    try {
      BufferedReader told = process.inputReader();
      String ports = told.readLine();
      if (ports == null) {
        throw new IOException("the other JVM of the bench has ended at once");
      }
      int[] numbers = Arrays.stream(ports.split(" ")).mapToInt(Integer::parseInt).toArray();
      BareSocket socket = BareSocket.connect(numbers[1]);
      Peer peer = new Peer(process, BareStream.open(numbers[0], certificates), socket);
      started = true;
      return peer;
    } finally {
      if (!started) {
        process.destroyForcibly();
      }
    }
  }

  BareStream stream() {
    return stream;
  }

  BareSocket socket() {
    return socket;
  }

  @Override
  public void close() {
    stream.close();
    socket.close();
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  // ---- in the other JVM -------------------------------------------------------------------

  /** Prints the two ports and serves until its input ends. */
  public static void main(String[] args) throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    int streamPort =
        NettyServerBuilder.forAddress(new InetSocketAddress(loopback, 0), credentials(args))
            .directExecutor()
            .addService(
                ServerServiceDefinition.builder(BareStream.SERVICE)
                    .addMethod(BareStream.ECHO, ServerCalls.asyncBidiStreamingCall(Peer::echo))
                    .build())
            .build()
            .start()
            .getPort();
    ServerSocketChannel sockets = ServerSocketChannel.open();
    sockets.bind(new InetSocketAddress(loopback, 0));
    Thread.ofPlatform().daemon().start(() -> receive(sockets));
    System.out.println(streamPort + " " + sockets.socket().getLocalPort());
    while (System.in.read() >= 0) {
      // until the JVM of the bench has ended
    }
    System.exit(0);
  }

  private static ServerCredentials credentials(String[] args) throws IOException {
    if (args.length == 0) {
      return InsecureServerCredentials.create();
    }
    Path directory = Path.of(args[0]);
    return TlsServerCredentials.newBuilder()
        .keyManager(
            directory.resolve("node.pem").toFile(), directory.resolve("node-key.pem").toFile())
        .build();
  }

  private static StreamObserver<byte[]> echo(StreamObserver<byte[]> back) {
    return new StreamObserver<>() {
      @Override
      public void onNext(byte[] message) {
        back.onNext(message);
      }

      @Override
      public void onError(Throwable gone) {
        back.onCompleted(); // the bench has ended
      }

      @Override
      public void onCompleted() {
        back.onCompleted();
      }
    };
  }

  /** Takes one transfer after the other of one connection, each into the same memory. */
  private static void receive(ServerSocketChannel sockets) {
    MemorySegment memory = MemorySegment.NULL;
    ByteBuffer size = ByteBuffer.allocate(Long.BYTES);
    try (SocketChannel from = sockets.accept()) {
      while (BareSocket.readFully(from, size.clear())) {
        long bytes = size.flip().getLong();
        if (bytes > memory.byteSize()) {
          memory = Arena.ofAuto().allocate(bytes).fill((byte) 0);
        }
        for (long at = 0; at < bytes; at += CHUNK_BYTES) {
          long length = Math.min(CHUNK_BYTES, bytes - at);
          BareSocket.readFully(from, memory.asSlice(at, length).asByteBuffer());
        }
        from.write(ByteBuffer.allocate(1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
