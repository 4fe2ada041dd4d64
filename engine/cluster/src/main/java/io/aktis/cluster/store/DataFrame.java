package io.aktis.cluster.store;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.cluster.store.Tickets.Ticket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is said on a connection to a data port. All numbers are big-endian.
 *
 * <pre>
 *  the reader, first:   | "AKTISDAT" 8 | ticket 16 |
 *  the reader, then:    | offset 8 | length 8 | 1 when it takes only what is there, else 0: 1 |
 *  the node:            | kind 1 | bytes of the whole object 8 | bytes that follow 4 | bytes ... |
 * </pre>
 *
 * The node says {@link Kind#WELCOME} once. A request is answered with {@link Kind#DATA} until all
 * bytes that were asked for have been sent, in order, and with {@link Kind#WAIT} now and then while
 * they are still on their way to the node; or with {@link Kind#ABSENT}. After a request that makes
 * no sense, or when it cannot go on, the node closes the connection.
 *
 * @param kind what it says
 * @param totalBytes of the whole object, in a frame with data
 * @param length how many bytes follow
 */
record DataFrame(Kind kind, long totalBytes, int length) {
  /** What a node says. */
  enum Kind {
    /** The ticket was good. */
    WELCOME,
    /** Bytes follow. */
    DATA,
    /** They have not come yet. */
    WAIT,
    /** The node does not have them. */
    ABSENT
  }

  static final int BYTES = 1 + Long.BYTES + Integer.BYTES;
  static final int HELLO_BYTES = 8 + Ticket.BYTES;
  static final int REQUEST_BYTES = 2 * Long.BYTES + 1;

  /** No frame has more data. Others can read what has come in one, while the next comes. */
  static final int MAX_DATA_BYTES = 4 << 20;

  private static final byte[] MAGIC = "AKTISDAT".getBytes(StandardCharsets.US_ASCII);
  private static final Kind[] KINDS = Kind.values();

  /** What a reader asks for. */
  record Request(Piece piece, boolean presentOnly) {}

  /** Puts a frame without its data into a buffer. */
  void putTo(ByteBuffer buffer) {
    buffer.put((byte) kind.ordinal()).putLong(totalBytes).putInt(length);
  }

  /**
   * Takes a frame without its data out of a buffer.
   *
   * @throws IOException when it is none
   */
  static DataFrame from(ByteBuffer buffer) throws IOException {
    int kind = buffer.get();
    long totalBytes = buffer.getLong();
    int length = buffer.getInt();
    boolean known = kind >= 0 && kind < KINDS.length;
    boolean hasData = known && KINDS[kind] == Kind.DATA;
    if (!known || totalBytes < 0 || length < (hasData ? 1 : 0) || length > MAX_DATA_BYTES) {
      throw new IOException("no frame: kind " + kind + ", " + totalBytes + " and " + length);
    }
    return new DataFrame(KINDS[kind], totalBytes, length);
  }

  static void putHello(Ticket ticket, ByteBuffer buffer) {
    ticket.putTo(buffer.put(MAGIC));
  }

  /**
   * Takes the first words of a reader out of a buffer.
   *
   * @throws IOException when they are something else
   */
  static Ticket hello(ByteBuffer buffer) throws IOException {
    byte[] magic = new byte[MAGIC.length];
    buffer.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException("it does not speak the protocol of the data port");
    }
    return Ticket.from(buffer);
  }

  static void putRequest(Request request, ByteBuffer buffer) {
    buffer.putLong(request.piece.offset()).putLong(request.piece.length());
    buffer.put((byte) (request.presentOnly ? 1 : 0));
  }

  /**
   * Takes a request out of a buffer.
   *
   * @throws IOException when no object can have such a part
   */
  static Request request(ByteBuffer buffer) throws IOException {
    long offset = buffer.getLong();
    long length = buffer.getLong();
    byte presentOnly = buffer.get();
    if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length || (presentOnly & ~1) != 0) {
      throw new IOException("it asked for " + length + " bytes at " + offset);
    }
    return new Request(new Piece(offset, length), presentOnly == 1);
  }

  /**
   * Fills a buffer and turns it around.
   *
   * @return false when there is nothing more to read, not even one byte
   * @throws EOFException when the bytes end in between
   */
  static boolean fill(ReadableByteChannel from, ByteBuffer buffer) throws IOException {
    buffer.clear();
    while (buffer.hasRemaining()) {
      if (from.read(buffer) < 0) {
        if (buffer.position() == 0) {
          return false;
        }
        throw new EOFException("it ended in the middle");
      }
    }
    buffer.flip();
    return true;
  }
}
