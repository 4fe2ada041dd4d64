package io.aktis.cluster.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.aktis.cluster.rpc.Methods;
import io.aktis.wire.message.Chunk;
import io.aktis.wire.message.ReadRequest;
import io.grpc.HasByteBuffer;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * {@link Methods#READ} with chunks that are written from memory and read into memory directly.
 * Stateless.
 */
final class ReadMethod {
  /** Takes chunks on the thread of the network. */
  interface Sink {
    /** A chunk begins. */
    void begin(long totalBytes, int dataBytes);

    /** The next bytes of the chunk: all that remain in the buffer. */
    void put(ByteBuffer bytes);
  }

  private ReadMethod() {}

  /** Returns the method as a server has it. */
  static MethodDescriptor<ReadRequest, SegmentChunk> sending() {
    return Methods.READ.toBuilder(Methods.READ.getRequestMarshaller(), new Sending()).build();
  }

  /** Returns the method as one call has it, which puts what comes into the sink. */
  static MethodDescriptor<ReadRequest, Integer> receiving(Sink sink) {
    return Methods.READ.toBuilder(Methods.READ.getRequestMarshaller(), new Receiving(sink)).build();
  }

  private static final class Sending implements Marshaller<SegmentChunk> {
    @Override
    public InputStream stream(SegmentChunk chunk) {
      return new ChunkSource(chunk);
    }

    @Override
    public SegmentChunk parse(InputStream stream) {
      throw new UnsupportedOperationException("a server sends chunks");
    }
  }

  /** The value of a message is the number of its bytes; they are in the sink. */
  private record Receiving(Sink sink) implements Marshaller<Integer> {
    private static final int STEP_BYTES = 64 << 10;
    private static final int TOTAL_TAG = tag(Chunk.TOTAL_BYTES_FIELD_NUMBER, 0);
    private static final int DATA_TAG = tag(Chunk.DATA_FIELD_NUMBER, 2);

    private static int tag(int field, int wireType) {
      return field << 3 | wireType;
    }

    @Override
    public InputStream stream(Integer value) {
      throw new UnsupportedOperationException("a client receives chunks");
    }

    @Override
    public Integer parse(InputStream stream) {
      try {
        return receive(stream);
      } catch (IOException e) {
        throw new UncheckedIOException("a chunk is broken", e);
      }
    }

    /** Fields come in any order and may be left out when they are 0. */
    private int receive(InputStream stream) throws IOException {
      long totalBytes = 0;
      for (int first = stream.read(); first >= 0; first = stream.read()) {
        int tag = CodedInputStream.readRawVarint32(first, stream);
        if (tag == TOTAL_TAG) {
          totalBytes = readVarint64(stream);
        } else if (tag == DATA_TAG) {
          int dataBytes = CodedInputStream.readRawVarint32(nextByte(stream), stream);
          sink.begin(totalBytes, dataBytes);
          transfer(stream, dataBytes);
          return dataBytes;
        } else {
          throw new IOException(
              "field " + WireFormat.getTagFieldNumber(tag) + " where a chunk has none");
        }
      }
      sink.begin(totalBytes, 0);
      return 0;
    }

    private static int nextByte(InputStream stream) throws IOException {
      int next = stream.read();
      if (next < 0) {
        throw new EOFException("a chunk ends in the middle");
      }
      return next;
    }

    private static long readVarint64(InputStream stream) throws IOException {
      long value = 0;
      for (int shift = 0; shift < 64; shift += 7) {
        int next = nextByte(stream);
        value |= (next & 0x7FL) << shift;
        if ((next & 0x80) == 0) {
          return value;
        }
      }
      throw new IOException("a number is too long");
    }

    private void transfer(InputStream stream, int bytes) throws IOException {
      int left = bytes;
      if (stream instanceof HasByteBuffer buffers && buffers.byteBufferSupported()) {
        while (left > 0) {
          ByteBuffer buffer = buffers.getByteBuffer();
          if (buffer == null) {
            throw new EOFException("a chunk ends in the middle");
          }
          int n = Math.min(left, buffer.remaining());
          sink.put(buffer.slice(buffer.position(), n));
          left -= n;
          stream.skipNBytes(n);
        }
        return;
      }
      byte[] step = new byte[Math.min(left, STEP_BYTES)];
      while (left > 0) {
        int n = stream.read(step, 0, Math.min(left, step.length));
        if (n < 0) {
          throw new EOFException("a chunk ends in the middle");
        }
        sink.put(ByteBuffer.wrap(step, 0, n));
        left -= n;
      }
    }
  }
}
