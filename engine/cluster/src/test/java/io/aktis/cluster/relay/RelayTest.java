package io.aktis.cluster.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The relay with real sockets. Times are lower bounds only: a machine may always be slower. */
@Timeout(30)
final class RelayTest {
  private static final SlowNetwork FAST = new SlowNetwork(Duration.ZERO, SlowNetwork.UNLIMITED);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private ServerSocket target;

  @BeforeEach
  void listen() throws IOException {
    target = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    target.close();
    threads.close();
  }

  /** A connection through a relay: one end each. */
  private record Pair(Socket client, Socket server) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      client.close();
      server.close();
    }
  }

  private Relay open(SlowNetwork network) throws IOException {
    return Relay.open(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        (InetSocketAddress) target.getLocalSocketAddress(),
        network);
  }

  private Pair connect(Relay relay) throws Exception {
    Future<Socket> server = threads.submit(target::accept);
    Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());
    return new Pair(client, server.get());
  }

  private static byte[] someBytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  /** Sends and half-closes in another thread; returns what arrives. */
  private byte[] send(byte[] bytes, Socket from, Socket to) throws Exception {
    Future<?> sent =
        threads.submit(() -> {
          from.getOutputStream().write(bytes);
          from.shutdownOutput();
          return null;
        });
    byte[] received = to.getInputStream().readAllBytes();
    sent.get();
    return received;
  }

  private static void awaitNoConnections(Relay relay) {
    while (relay.connections() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void bytes_inBothDirections_arriveAsTheyWereSent() throws Exception {
    byte[] question = someBytes(9_000_000);
    byte[] answer = someBytes(5_000_001);
    try (Relay relay = open(FAST);
        Pair pair = connect(relay)) {
      Future<byte[]> back = threads.submit(() -> send(answer, pair.server, pair.client));

      assertThat(send(question, pair.client, pair.server)).isEqualTo(question);
      assertThat(back.get()).isEqualTo(answer);
      awaitNoConnections(relay);
    }
  }

  @Test
  void direction_thatEnds_leavesTheOtherOpen() throws Exception {
    try (Relay relay = open(FAST);
        Pair pair = connect(relay)) {
      assertThat(send(someBytes(10), pair.client, pair.server)).hasSize(10);

      assertThat(send(someBytes(20), pair.server, pair.client)).hasSize(20);
    }
  }

  @Test
  void byte_thereAndBack_takesTwiceTheLatencyAtLeast() throws Exception {
    try (Relay relay = open(new SlowNetwork(Duration.ofMillis(40), SlowNetwork.UNLIMITED));
        Pair pair = connect(relay)) {
      long startNs = System.nanoTime();
      pair.client.getOutputStream().write(7);
      pair.server.getOutputStream().write(pair.server.getInputStream().read() + 1);

      assertThat(pair.client.getInputStream().read()).isEqualTo(8);
      assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(80_000_000);
    }
  }

  @Test
  void bytes_onANarrowNetwork_takeTheirTimeOverAllConnections() throws Exception {
    byte[] bytes = someBytes(200_000);
    try (Relay relay = open(new SlowNetwork(Duration.ZERO, 1_000_000));
        Pair one = connect(relay);
        Pair two = connect(relay)) {
      long startNs = System.nanoTime();
      Future<byte[]> other = threads.submit(() -> send(bytes, two.client, two.server));

      assertThat(send(bytes, one.client, one.server)).isEqualTo(bytes);
      assertThat(other.get()).isEqualTo(bytes);
      assertThat(System.nanoTime() - startNs).isGreaterThanOrEqualTo(400_000_000);
    }
  }

  @Test
  void sender_whoseReaderIsSlow_hasToWait() throws Exception {
    try (Relay relay = open(FAST);
        Pair pair = connect(relay)) {
      CompletableFuture<Long> sent = new CompletableFuture<>();
      Future<?> sender =
          threads.submit(() -> {
            pair.client.getOutputStream().write(new byte[64 << 20]);
            sent.complete(System.nanoTime());
            return null;
          });
      DataInputStream in = new DataInputStream(pair.server.getInputStream());
      in.skipNBytes(1 << 20);
      long lookedNs = System.nanoTime();
      in.skipNBytes(63 << 20);
      sender.get();

      // Of what the sender has, buffers of the system and of the relay take a part only.
      assertThat(sent.get()).isGreaterThan(lookedNs);
    }
  }

  @Test
  void connection_thatBreaks_isBrokenAtTheOtherEnd() throws Exception {
    try (Relay relay = open(FAST);
        Pair pair = connect(relay)) {
      pair.server.setSoLinger(true, 0);
      pair.server.close();

      assertThatThrownBy(() -> pair.client.getInputStream().read())
          .isInstanceOf(SocketException.class);
      awaitNoConnections(relay);
    }
  }

  /** A thread that waits for room when the connection breaks must not read on and wait again. */
  @Test
  void relay_whoseConnectionBreaksWhileMuchIsUnderWay_letsAllThreadsGo() throws Exception {
    for (int round = 0; round < 100; round++) {
      try (Relay relay = open(FAST);
          Pair pair = connect(relay)) {
        Future<?> sender =
            threads.submit(() -> {
              try {
                pair.client.getOutputStream().write(new byte[32 << 20]);
                return "sent";
              } catch (SocketException e) {
                return "broken";
              }
            });
        new DataInputStream(pair.server.getInputStream()).skipNBytes(1 << 20);
        pair.server.setSoLinger(true, 0);
        pair.server.close();
        sender.get();
      } // waits for the threads of the relay
    }
  }

  @Test
  void connection_toATargetThatIsGone_isBroken() throws Exception {
    try (Relay relay = open(FAST)) {
      target.close();
      Socket client = new Socket(InetAddress.getLoopbackAddress(), relay.port());

      assertThatThrownBy(
              () -> {
                if (client.getInputStream().read() < 0) {
                  throw new SocketException("ended");
                }
              })
          .isInstanceOf(SocketException.class);
      client.close();
      awaitNoConnections(relay);
    }
  }

  @Test
  void relay_thatIsClosed_breaksItsConnectionsAndFreesItsPort() throws Exception {
    SlowNetwork slow = new SlowNetwork(Duration.ofMinutes(5), SlowNetwork.UNLIMITED);
    Relay relay = open(slow);
    try (Pair pair = connect(relay)) {
      pair.client.getOutputStream().write(new byte[100]);

      relay.close();
      relay.close();

      assertThatThrownBy(() -> pair.client.getInputStream().read())
          .isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> pair.server.getInputStream().read())
          .isInstanceOf(SocketException.class);
      assertThat(relay.connections()).isZero();
      new ServerSocket(relay.port(), 1, InetAddress.getLoopbackAddress()).close();
    }
  }

  @Test
  void relay_thatIsClosedAfterItsServer_deliversWhatThatHasSaid() throws Exception {
    Relay relay = open(new SlowNetwork(Duration.ofMillis(50), SlowNetwork.UNLIMITED));
    try (Pair pair = connect(relay)) {
      pair.server.getOutputStream().write(someBytes(1_000));
      pair.server.close();
      Future<?> closing = threads.submit(relay::close);

      assertThat(pair.client.getInputStream().readAllBytes()).isEqualTo(someBytes(1_000));
      pair.client.close();
      closing.get();
    }
  }

  @Test
  void relay_onAPortInUse_isRefused() {
    assertThatThrownBy(() ->
            Relay.open(
                (InetSocketAddress) target.getLocalSocketAddress(),
                (InetSocketAddress) target.getLocalSocketAddress(),
                FAST))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in use");
  }
}
