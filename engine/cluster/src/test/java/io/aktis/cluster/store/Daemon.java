package io.aktis.cluster.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import com.google.protobuf.ByteString;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.store.ObjectStore;
import io.aktis.store.SpillConfig;
import io.aktis.store.StoreConfig;
import io.aktis.wire.message.DataTicket;
import io.aktis.wire.message.OpenDataRequest;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A store with its service and server, as a node daemon has them. */
final class Daemon implements AutoCloseable {
  static final Credentials CREDENTIALS = new Credentials("secret", "session");
  static final int MIB = 1 << 20;

  final ObjectStore store;
  final StoreService service;
  RpcServer server;
  final Path memory;
  final long capacityBytes;
  final NodeId node;
  private final int port;
  private volatile int toldPort = -1;
  private boolean hasDataPort = true;

  private Daemon(long number, Path directory, long capacityBytes, long quotaBytes)
      throws IOException {
    this.node = new NodeId(1, number);
    this.capacityBytes = capacityBytes;
    this.memory = directory.resolve("memory-" + number);
    SpillConfig spill =
        quotaBytes == 0 ? null : new SpillConfig(directory.resolve("spill-" + number), quotaBytes);
    StoreConfig config = new StoreConfig(capacityBytes, Duration.ofSeconds(20));
    this.store = ObjectStore.open(config, () -> {}, memory, spill);
    this.service = new StoreService(store, "own:" + number, CREDENTIALS);
    this.server = serve(0);
    this.port = server.port();
    service.openData("127.0.0.1", 0);
  }

  private RpcServer serve(int at) throws IOException {
    ServerServiceDefinition.Builder own = ServerServiceDefinition.builder(Methods.NODE);
    service.addTo(own);
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(Methods.NODE);
    for (ServerMethodDefinition<?, ?> method : own.build().getMethods()) {
      String name = method.getMethodDescriptor().getFullMethodName();
      if (name.equals(Methods.OPEN_DATA.getFullMethodName())) {
        definition.addMethod(tellingPort(method));
      } else {
        definition.addMethod(method);
      }
    }
    return RpcServer.start("127.0.0.1", at, CREDENTIALS, List.of(definition.build()));
  }

  /** The same method, but for {@link #tellDataPort}. */
  @SuppressWarnings("unchecked")
  private ServerMethodDefinition<OpenDataRequest, DataTicket> tellingPort(
      ServerMethodDefinition<?, ?> method) {
    var own = (ServerMethodDefinition<OpenDataRequest, DataTicket>) method;
    ServerCallHandler<OpenDataRequest, DataTicket> other =
        ServerCalls.asyncUnaryCall((request, replies) -> {
          ByteString ticket = ByteString.copyFrom(new byte[16]);
          replies.onNext(DataTicket.newBuilder().setPort(toldPort).setTicket(ticket).build());
          replies.onCompleted();
        });
    return ServerMethodDefinition.create(
        own.getMethodDescriptor(),
        (call, headers) ->
            (toldPort < 0 ? own.getServerCallHandler() : other).startCall(call, headers));
  }

  /** Others are told that its data port is this one; -1 for the one that it has. */
  void tellDataPort(int dataPort) {
    toldPort = dataPort;
  }

  /** Others know where it is, and are sent there. */
  Daemon reachable() {
    service.reachedAt(address());
    return this;
  }

  /** Others read here by calls only. */
  Daemon withoutDataPort() {
    hasDataPort = false;
    service.closeData();
    return this;
  }

  /** Nobody can reach it any more, and who is connected is cut off. */
  void cutOff() {
    server.close();
    service.closeData();
  }

  /** Is back where it was after it was cut off, with all that it had. */
  void serveAgain() throws IOException {
    server = serve(port);
    if (hasDataPort) {
      service.openData("127.0.0.1", 0);
    }
  }

  static Daemon start(long number, Path directory, long capacityBytes) throws IOException {
    return new Daemon(number, directory, capacityBytes, 0);
  }

  static Daemon start(long number, Path directory, long capacityBytes, long quotaBytes)
      throws IOException {
    return new Daemon(number, directory, capacityBytes, quotaBytes);
  }

  /** Returns a fresh directory in shared memory, or in the temporary one where there is none. */
  static Path directory() throws IOException {
    Path shm = Path.of("/dev/shm");
    boolean usable =
        Files.isWritable(shm) && Files.getFileStore(shm).getUsableSpace() > 1500L * MIB;
    return usable
        ? Files.createTempDirectory(shm, "aktis-test-")
        : Files.createTempDirectory("aktis-test-");
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  Location location() {
    return new Location(node, address());
  }

  /** A client with the channel that it uses. */
  record Client(StoreClient port, RpcChannel channel) implements AutoCloseable {
    @Override
    public void close() {
      port.close();
      channel.close();
    }
  }

  Client client() throws IOException {
    RpcChannel channel = RpcChannel.open(address(), CREDENTIALS);
    return new Client(StoreClient.open(channel, node, memory, capacityBytes, "a test"), channel);
  }

  static ObjectId id(int number) {
    return TaskId.of(7, number + 1).result(0);
  }

  /** Fills a segment with words that depend on a seed and their place. */
  static void fill(MemorySegment segment, long seed) {
    long words = segment.byteSize() / 8;
    for (long i = 0; i < words; i++) {
      segment.set(JAVA_LONG_UNALIGNED, i * 8, word(seed, i));
    }
    for (long at = words * 8; at < segment.byteSize(); at++) {
      segment.set(JAVA_BYTE, at, (byte) (seed + at));
    }
  }

  /** Fails unless a segment holds what {@link #fill} has put into it. */
  static void check(MemorySegment segment, long seed) {
    long words = segment.byteSize() / 8;
    for (long i = 0; i < words; i++) {
      long found = segment.get(JAVA_LONG_UNALIGNED, i * 8);
      if (found != word(seed, i)) {
        throw new AssertionError("wrong word at " + i * 8 + " of " + segment.byteSize());
      }
    }
    for (long at = words * 8; at < segment.byteSize(); at++) {
      if (segment.get(JAVA_BYTE, at) != (byte) (seed + at)) {
        throw new AssertionError("wrong byte at " + at + " of " + segment.byteSize());
      }
    }
  }

  private static long word(long seed, long index) {
    return (index + 1) * 0x9E3779B97F4A7C15L ^ seed * 0xD1B54A32D192ED03L;
  }

  static ObjectId put(StorePort port, int number, long sizeBytes) {
    try (StorePort.Writing writing = port.create(id(number), sizeBytes)) {
      fill(writing.segment(), number);
      writing.seal();
      return id(number);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits up to 30 seconds; fails with the state. */
  static void await(BooleanSupplier condition, Supplier<?> state) {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNanos > 0) {
        throw new AssertionError("waited in vain; state: " + state.get());
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    server.close();
    service.close();
    store.close();
  }
}
