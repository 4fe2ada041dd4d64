package io.aktis.benchmarks.macro;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A socket to the other JVM, which takes what it is sent. Confined to one thread. */
final class BareSocket implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 20;

  private final SocketChannel channel;

  private BareSocket(SocketChannel channel) {
    this.channel = channel;
  }

  static BareSocket connect(int port) throws IOException {
    return new BareSocket(
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
  }

  /** Sends bytes; returns when the other side has them all in memory. */
  Object transfer(MemorySegment data) throws IOException {
    writeFully(ByteBuffer.allocate(Long.BYTES).putLong(data.byteSize()).flip());
    for (long at = 0; at < data.byteSize(); at += CHUNK_BYTES) {
      long length = Math.min(CHUNK_BYTES, data.byteSize() - at);
      writeFully(data.asSlice(at, length).asByteBuffer());
    }
    if (!readFully(channel, ByteBuffer.allocate(1))) {
      throw new IOException("the other JVM of the bench has ended");
    }
    return channel;
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Returns whether the buffer was filled; false at the end of what comes. */
  static boolean readFully(SocketChannel from, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (from.read(bytes) < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
