package io.aktis.cluster.store;

import static io.aktis.cluster.store.Daemon.MIB;
import static io.aktis.cluster.store.Daemon.await;
import static io.aktis.cluster.store.Daemon.check;
import static io.aktis.cluster.store.Daemon.id;
import static io.aktis.cluster.store.Daemon.put;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.store.DataFrame.Kind;
import io.aktis.cluster.store.DataFrame.Request;
import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.cluster.store.Tickets.Ticket;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.StorePort;
import io.aktis.wire.message.DataTicket;
import io.aktis.wire.message.OpenDataRequest;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The data port with real connections: who is let in, what they get, what is left of them. */
final class DataPortTest {
  private static final long SIZE = 9L * MIB + 5;

  private Path directory;
  private Daemon source;
  private Daemon target;

  @BeforeEach
  void start() throws IOException {
    directory = Daemon.directory();
    source = Daemon.start(1, directory, 128L * MIB).reachable();
    target = Daemon.start(2, directory, 128L * MIB).reachable();
    try (Daemon.Client client = source.client()) {
      put(client.port(), 1, SIZE);
    }
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    for (Daemon daemon : List.of(source, target)) {
      await(() -> daemon.service.dataConnections() == 0, daemon.service::dataConnections);
      await(() -> daemon.store.stats().pinnedObjects() == 0, daemon.store::objects);
      daemon.close();
    }
    await(() -> dataThreads().isEmpty(), DataPortTest::dataThreads);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    Files.delete(directory);
  }

  private static List<String> dataThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("aktis-data"))
        .toList();
  }

  private DataTicket ticket(int object) {
    try (RpcChannel channel = RpcChannel.open(source.address(), Daemon.CREDENTIALS)) {
      OpenDataRequest request =
          OpenDataRequest.newBuilder().setObject(WireIds.of(id(object))).build();
      return ClientCalls.blockingUnaryCall(channel.call(Methods.OPEN_DATA), request);
    }
  }

  private SocketChannel connect(DataTicket ticket) throws IOException {
    return connect(Ticket.from(ByteBuffer.wrap(ticket.getTicket().toByteArray())));
  }

  private SocketChannel connect(Ticket ticket) throws IOException {
    SocketChannel channel =
        SocketChannel.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), source.service.dataPort()));
    ByteBuffer hello = ByteBuffer.allocate(DataFrame.HELLO_BYTES);
    DataFrame.putHello(ticket, hello);
    channel.write(hello.flip());
    return channel;
  }

  private static void ask(SocketChannel channel, long offset, long length) throws IOException {
    ByteBuffer request = ByteBuffer.allocate(DataFrame.REQUEST_BYTES);
    DataFrame.putRequest(new Request(new Piece(offset, length), false), request);
    channel.write(request.flip());
  }

  private static DataFrame frame(SocketChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(DataFrame.BYTES);
    assertThat(DataFrame.fill(channel, buffer)).isTrue();
    return DataFrame.from(buffer);
  }

  /** Fails unless the other end has closed the connection without a word. */
  private static void awaitEnd(SocketChannel channel) throws IOException {
    try {
      assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    } catch (IOException reset) {
      assertThat(reset).isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  private boolean pull() throws IOException {
    try (Daemon.Client client = target.client();
        StorePort.Reading reading = client.port().pin(id(1), source.location())) {
      if (reading == null) {
        return false;
      }
      check(reading.segment(), 1);
      return true;
    }
  }

  // ---- who is let in ----------------------------------------------------------------------

  @Test
  void ticket_letsRead_whatIsAskedFor_onceOnly() throws Exception {
    DataTicket ticket = ticket(1);
    try (SocketChannel channel = connect(ticket)) {
      assertThat(frame(channel).kind()).isEqualTo(Kind.WELCOME);
      try (SocketChannel again = connect(ticket)) {
        awaitEnd(again);
      }
      assertThat(source.service.dataRefusal()).contains("ticket");

      ask(channel, 8, 8);
      assertThat(frame(channel)).isEqualTo(new DataFrame(Kind.DATA, SIZE, 8));
      ByteBuffer bytes = ByteBuffer.allocate(8);
      assertThat(DataFrame.fill(channel, bytes)).isTrue();
      try (Daemon.Client client = source.client();
          StorePort.Reading own = client.port().pin(id(1), source.location())) {
        assertThat(bytes).isEqualTo(own.segment().asSlice(8, 8).asByteBuffer());
      }
    }
  }

  @Test
  void ticket_thatIsWrong_letsNobodyIn_andIsToldInTheLog() throws Exception {
    try (SocketChannel channel = connect(new Ticket(1, 2))) {
      awaitEnd(channel);
    }
    assertThat(source.service.dataRefusal())
        .contains("/127.0.0.1:")
        .contains("its ticket for data is wrong, used, or has expired");
  }

  @Test
  void words_ofSomebodyElse_letNobodyIn() throws Exception {
    try (SocketChannel channel =
        SocketChannel.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), source.service.dataPort()))) {
      channel.write(
          ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII)));
      awaitEnd(channel);
    }
  }

  @Test
  void part_outsideOfTheObject_isNotRead() throws Exception {
    long[][] parts = {
      {0, SIZE + 1}, {SIZE, 1}, {-1, 2}, {0, -1}, {0, 0}, {SIZE - 1, Long.MAX_VALUE}, {1L << 40, 9}
    };
    for (long[] part : parts) {
      try (SocketChannel channel = connect(ticket(1))) {
        assertThat(frame(channel).kind()).isEqualTo(Kind.WELCOME);
        ask(channel, part[0], part[1]);
        long sent = 0;
        ByteBuffer sink = ByteBuffer.allocate(1 << 16);
        try {
          for (int n = channel.read(sink); n >= 0; n = channel.read(sink.clear())) {
            sent += n;
          }
        } catch (IOException reset) {
          assertThat(reset).isNotInstanceOf(SocketTimeoutException.class);
        }
        long frames = (SIZE / DataFrame.MAX_DATA_BYTES + 1) * DataFrame.BYTES;
        assertThat(sent).as("%d at %d", part[1], part[0]).isLessThanOrEqualTo(SIZE + frames);
      }
    }
    assertThat(pull()).isTrue();
  }

  @Test
  void object_thatIsNotThere_isAbsent() throws Exception {
    try (SocketChannel channel = connect(ticket(99))) {
      assertThat(frame(channel).kind()).isEqualTo(Kind.WELCOME);
      ask(channel, 0, 1);
      assertThat(frame(channel).kind()).isEqualTo(Kind.ABSENT);
    }
  }

  @Test
  void connections_beyondTheLimit_areRefused_andTheirReadersReadByCalls() throws Exception {
    List<SocketChannel> open = new ArrayList<>();
    try {
      for (int i = 0; i < DataServer.MAX_CONNECTIONS; i++) {
        SocketChannel channel = connect(ticket(1));
        open.add(channel);
        assertThat(frame(channel).kind()).isEqualTo(Kind.WELCOME);
      }
      assertThat(pull()).isTrue();
      assertThat(source.service.dataRefusal()).contains("connections for data are served");
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  // ---- ways that are closed ---------------------------------------------------------------

  @Test
  void pull_usesTheDataPort() throws Exception {
    assertThat(pull()).isTrue();
    assertThat(source.service.dataBytes()).isEqualTo(SIZE - Pull.FIRST_BYTES);
  }

  @Test
  void pull_fromANodeWithoutADataPort_goesByCalls() throws Exception {
    source.service.closeData();

    assertThat(pull()).isTrue();
    assertThat(source.service.sentBytes()).isEqualTo(SIZE);
    assertThat(source.service.dataBytes()).isZero();
  }

  @Test
  void pull_whoseDataPortIsBlocked_goesByCalls() throws Exception {
    int port;
    try (ServerSocket once = new ServerSocket(0)) {
      port = once.getLocalPort(); // closed again: nobody answers there
    }
    source.tellDataPort(port);

    assertThat(pull()).isTrue();
    assertThat(source.service.sentBytes()).isEqualTo(SIZE);
    assertThat(source.service.dataBytes()).isZero();
  }

  @Test
  void nodes_thatUseTls_haveNoDataPorts() throws Exception {
    source.tellDataPort(1); // would be a surprise
    try (DataPaths paths = new DataPaths(true);
        RpcChannel channel = RpcChannel.open(source.address(), Daemon.CREDENTIALS)) {
      assertThat(paths.areUsed()).isFalse();
      assertThat(paths.open(channel, id(1))).isNull();
    }
  }

  @Test
  void connection_inWhichNothingMoves_isClosed() throws Exception {
    try (StallWatch watch = new StallWatch();
        ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        SocketChannel channel = SocketChannel.open(silent.getLocalSocketAddress())) {
      watch.watch(channel, TimeUnit.MILLISECONDS.toNanos(50));

      assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class);
      assertThat(watch.size()).isZero();
    }
  }

  @Test
  void port_thatIsTaken_isNamed() throws Exception {
    assertThatThrownBy(() -> target.service.openData("127.0.0.1", source.service.dataPort()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen on port " + source.service.dataPort());
  }

  // ---- a node that breaks in the middle ---------------------------------------------------

  @Test
  void connection_thatBreaksInTheMiddle_isFollowedByAnotherFromThere() throws Exception {
    FutureTask<Boolean> reader = new FutureTask<>(this::pull);
    try (ServerSocket cutting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      source.tellDataPort(cutting.getLocalPort());
      Thread.startVirtualThread(reader);
      try (var connection = cutting.accept()) {
        connection.getInputStream().readNBytes(DataFrame.HELLO_BYTES);
        ByteBuffer words = ByteBuffer.allocate(2 * DataFrame.BYTES + 1_000);
        new DataFrame(Kind.WELCOME, 0, 0).putTo(words);
        connection.getOutputStream().write(words.array(), 0, DataFrame.BYTES);
        connection.getInputStream().readNBytes(DataFrame.REQUEST_BYTES);
        new DataFrame(Kind.DATA, SIZE, DataFrame.MAX_DATA_BYTES).putTo(words);
        try (Daemon.Client client = source.client();
            StorePort.Reading own = client.port().pin(id(1), source.location())) {
          ByteBuffer object = own.segment().asByteBuffer();
          words.put(object.slice(Pull.FIRST_BYTES, 1_000));
        }
        connection.getOutputStream().write(words.array(), DataFrame.BYTES, DataFrame.BYTES + 1_000);
        await(() -> target.service.arrivedBytes(id(1)) >= Pull.FIRST_BYTES, target.store::objects);
      }
      source.tellDataPort(-1);
    }
    assertThat(reader.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(source.service.sentBytes()).isEqualTo(SIZE - 1_000); // they came from the other
  }
}
