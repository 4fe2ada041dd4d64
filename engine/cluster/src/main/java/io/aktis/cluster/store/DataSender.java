package io.aktis.cluster.store;

import io.aktis.cluster.store.DataFrame.Kind;
import io.aktis.cluster.store.DataFrame.Request;
import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.cluster.store.StallWatch.Watched;
import io.aktis.cluster.store.Tickets.Ticket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's end of one connection to its data port: sends parts of one object, straight from where
 * it lies to the socket. Confined to its thread, which it ends with the connection.
 */
final class DataSender {
  private static final Logger LOG = LoggerFactory.getLogger(DataSender.class);

  /** So long a connection may take to show its ticket. */
  private static final long HELLO_NS = TimeUnit.SECONDS.toNanos(10);

  /** So long a reader may wait with its next request. */
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

  /**
   * So long a reader may take for one write: what is slower than this, some KiB a second, is gone.
   */
  private static final long SEND_NS = TimeUnit.SECONDS.toNanos(120);

  /** How often a reader is told that it has to wait. */
  private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(2);

  /** Fewer, larger writes wake the reader less often; more of them notice earlier that it moves. */
  private static final int WRITE_BYTES = 1 << 20;

  /** Decides about a ticket. */
  @FunctionalInterface
  interface Gate {
    /** Returns what the connection may read, which the caller closes; null for nothing. */
    @Nullable Holdings admit(SocketChannel connection, Ticket ticket) throws IOException;
  }

  private final SocketChannel channel;
  private final StallWatch watch;
  private final Gate gate;
  private final LongAdder sentBytes;
  private final ByteBuffer in = ByteBuffer.allocateDirect(DataFrame.HELLO_BYTES);
  private final ByteBuffer out = ByteBuffer.allocateDirect(DataFrame.BYTES);

  /**
   * Makes an end.
   *
   * @param channel is closed by this
   * @param sentBytes counts what is sent
   */
  DataSender(SocketChannel channel, StallWatch watch, Gate gate, LongAdder sentBytes) {
    this.channel = channel;
    this.watch = watch;
    this.gate = gate;
    this.sentBytes = sentBytes;
  }

  /** Serves until the reader has enough, or the connection breaks. */
  void run() {
    try (channel;
        Watched guard = watch.watch(channel, HELLO_NS)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (!DataFrame.fill(channel, in)) {
        return;
      }
      try (Holdings object = gate.admit(channel, DataFrame.hello(in))) {
        if (object != null) {
          say(new DataFrame(Kind.WELCOME, 0, 0));
          serve(object, guard);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("the data port is closed", e);
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      LOG.info("sending on {} has ended: {}", channel, e.toString());
    }
  }

  private void serve(Holdings object, Watched guard) throws IOException, InterruptedException {
    in.clear().limit(DataFrame.REQUEST_BYTES);
    ByteBuffer request = in.slice();
    guard.limit(IDLE_NS);
    while (DataFrame.fill(channel, request)) {
      guard.limit(SEND_NS);
      answer(DataFrame.request(request), object, guard);
      object.close();
      guard.limit(IDLE_NS);
    }
  }

  private void answer(Request request, Holdings object, Watched guard)
      throws IOException, InterruptedException {
    Piece piece = request.piece();
    long at = piece.offset();
    while (at < piece.end()) {
      Piece next = new Piece(at, Math.min(DataFrame.MAX_DATA_BYTES, piece.end() - at));
      switch (object.find(next, request.presentOnly(), WAIT_NS)) {
        case HERE -> {
          send(object.bytes(), next, guard);
          at = next.end();
        }
        case NOT_YET -> say(new DataFrame(Kind.WAIT, 0, 0));
        case ABSENT -> {
          say(new DataFrame(Kind.ABSENT, 0, 0));
          return;
        }
        case OUTSIDE -> throw new IOException("no object of that length here: " + piece);
      }
      guard.moved();
    }
  }

  private void say(DataFrame frame) throws IOException {
    frame.putTo(out.clear());
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  private void send(MemorySegment object, Piece part, Watched guard) throws IOException {
    say(new DataFrame(Kind.DATA, object.byteSize(), Math.toIntExact(part.length())));
    for (long at = part.offset(); at < part.end(); at += WRITE_BYTES) {
      ByteBuffer bytes = object.asSlice(at, Math.min(WRITE_BYTES, part.end() - at)).asByteBuffer();
      while (bytes.hasRemaining()) {
        sentBytes.add(channel.write(bytes));
        guard.moved();
      }
    }
  }
}
