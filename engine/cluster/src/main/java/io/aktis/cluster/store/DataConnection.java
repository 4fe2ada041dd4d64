package io.aktis.cluster.store;

import io.aktis.cluster.store.DataFrame.Kind;
import io.aktis.cluster.store.DataFrame.Request;
import io.aktis.cluster.store.StallWatch.Watched;
import io.aktis.cluster.store.Tickets.Ticket;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The reader's end of a connection to a data port: reads parts of one object, one after the other,
 * from the socket straight to where they belong. Used by one thread at a time, which closes it.
 */
final class DataConnection implements AutoCloseable {
  private static final int CONNECT_TIMEOUT_MS = 3_000;

  /** A node that has nothing to send says so more often. */
  private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(20);

  /** Largest single read. */
  private static final int READ_BYTES = 1 << 20;

  private final SocketChannel channel;
  private final Watched guard;
  private final ByteBuffer in = ByteBuffer.allocateDirect(DataFrame.BYTES);
  private final ByteBuffer out = ByteBuffer.allocateDirect(DataFrame.HELLO_BYTES);

  private DataConnection(SocketChannel channel, StallWatch watch) throws IOException {
    this.channel = channel;
    this.guard = watch.watch(channel, SILENCE_NS);
  }

  /**
   * Connects; waits until the ticket is taken.
   *
   * @throws IOException when the port cannot be reached, or does not take the ticket
   */
  static DataConnection open(InetSocketAddress address, Ticket ticket, StallWatch watch)
      throws IOException {
    DataConnection connection = new DataConnection(SocketChannel.open(), watch);
    boolean opened = false;
    try {
      connection.greet(address, ticket);
      opened = true;
      return connection;
    } finally {
      if (!opened) {
        connection.close();
      }
    }
  }

  private void greet(InetSocketAddress address, Ticket ticket) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.socket().connect(address, CONNECT_TIMEOUT_MS);
    DataFrame.putHello(ticket, out.clear());
    write();
    if (frame().kind() != Kind.WELCOME) {
      throw new IOException("it was not welcome");
    }
  }

  /** Returns whether more can be asked for. */
  boolean isOpen() {
    return channel.isOpen();
  }

  /**
   * Asks for a part; the one before has been read to its end.
   *
   * @throws IOException when the connection breaks
   */
  Part read(Request request) throws IOException {
    guard.moved();
    DataFrame.putRequest(request, out.clear());
    write();
    return new Reading(request.piece().length());
  }

  private void write() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  private DataFrame frame() throws IOException {
    if (!DataFrame.fill(channel, in)) {
      throw new EOFException("the other end has closed it");
    }
    guard.moved();
    return DataFrame.from(in);
  }

  /** Idempotent. */
  @Override
  public void close() {
    guard.close();
  }

  /**
   * One part. Closed before its end it ends the connection, for the rest would come all the same.
   */
  private final class Reading implements Part {
    private final long length;
    private @Nullable DataFrame next;
    private long at;
    private boolean absent;

    Reading(long length) {
      this.length = length;
    }

    @Override
    public long awaitTotalBytes() throws IOException {
      DataFrame first = next();
      absent = first.kind() == Kind.ABSENT;
      next = first;
      return absent ? -1 : first.totalBytes();
    }

    private DataFrame next() throws IOException {
      DataFrame frame = frame();
      while (frame.kind() == Kind.WAIT) {
        frame = frame();
      }
      if (frame.kind() == Kind.WELCOME || frame.length() > length - at) {
        throw new IOException("not what was asked for: " + frame);
      }
      return frame;
    }

    @Override
    public void readInto(MemorySegment target, LongConsumer arrived) throws IOException {
      while (at < length) {
        DataFrame frame = next == null ? next() : next;
        next = null;
        if (frame.kind() == Kind.ABSENT) {
          throw new IOException("the rest is not there any more");
        }
        read(target.asSlice(at, frame.length()));
        arrived.accept(at);
      }
    }

    private void read(MemorySegment target) throws IOException {
      long start = at;
      long end = start + target.byteSize();
      while (at < end) {
        ByteBuffer bytes =
            target.asSlice(at - start, Math.min(READ_BYTES, end - at)).asByteBuffer();
        int count = channel.read(bytes);
        if (count < 0) {
          throw new EOFException("the other end has closed it");
        }
        at += count;
        guard.moved();
      }
    }

    @Override
    public long readBytes() {
      return at;
    }

    @Override
    public void close() {
      if (at < length && !absent) {
        DataConnection.this.close();
      }
    }
  }
}
