package io.aktis.benchmarks.macro;

import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * One bidirectional gRPC stream to the other JVM, which sends each message back: the floor for what
 * goes between processes. Messages are not batched. Confined to one thread.
 */
final class BareStream implements AutoCloseable {
  static final String SERVICE = "bench";

  static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.<byte[], byte[]>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(SERVICE + "/echo")
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(new Bytes())
          .build();

  /** About what a small task and its result take. */
  private static final int MESSAGE_BYTES = 100;

  /** What the certificates of a cluster are made for. */
  private static final String NODE_NAME = "node.aktis.internal";

  private final byte[] message = new byte[MESSAGE_BYTES];
  private final Semaphore answers = new Semaphore(0);
  private final ManagedChannel channel;
  private final StreamObserver<byte[]> requests;
  private volatile @Nullable Throwable failure;

  private BareStream(ManagedChannel channel) {
    this.channel = channel;
    this.requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(ECHO, CallOptions.DEFAULT), new Answers());
  }

  static BareStream open(int port, Optional<Path> certificates) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(address, credentials(certificates)).directExecutor();
    if (certificates.isPresent()) {
      builder.overrideAuthority(NODE_NAME);
    }
    return new BareStream(builder.build());
  }

  private static ChannelCredentials credentials(Optional<Path> certificates) throws IOException {
    return certificates.isEmpty()
        ? InsecureChannelCredentials.create()
        : TlsChannelCredentials.newBuilder()
            .trustManager(certificates.get().resolve("ca.pem").toFile())
            .build();
  }

  /** Sends so many messages, then waits until all are back. */
  Object roundTrips(int count) throws InterruptedException, IOException {
    for (int i = 0; i < count; i++) {
      requests.onNext(message);
    }
    answers.acquire(count);
    Throwable thrown = failure;
    if (thrown != null) {
      throw new IOException("the bare stream has failed", thrown);
    }
    return answers;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  /** Counts what comes back; handled on a thread of the network. */
  private final class Answers implements StreamObserver<byte[]> {
    @Override
    public void onNext(byte[] back) {
      answers.release();
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      answers.release(Integer.MAX_VALUE / 2);
    }

    @Override
    public void onCompleted() {
      onError(new IOException("the other side has ended the stream"));
    }
  }

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
}
