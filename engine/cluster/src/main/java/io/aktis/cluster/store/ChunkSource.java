package io.aktis.cluster.store;

import com.google.protobuf.CodedOutputStream;
import io.aktis.wire.message.Chunk;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The bytes of a {@link Chunk} message, made from memory without a copy in between: what a general
 * encoder would do with {@code bytes} costs more than all the rest of a transfer.
 *
 * <pre>
 *  | tag of total_bytes | varint | tag of data | varint: length | data ... |
 *  |                       header                               |
 * </pre>
 *
 * Confined to the thread that sends.
 */
final class ChunkSource extends InputStream implements Drainable, KnownLength {
  private static final int STEP_BYTES = 64 << 10;

  private final byte[] header;
  private final MemorySegment data;
  private long at;

  ChunkSource(SegmentChunk chunk) {
    this.header = header(chunk);
    this.data = chunk.data();
  }

  private static byte[] header(SegmentChunk chunk) {
    int dataBytes = Math.toIntExact(chunk.data().byteSize());
    int size =
        CodedOutputStream.computeInt64Size(Chunk.TOTAL_BYTES_FIELD_NUMBER, chunk.totalBytes())
            + CodedOutputStream.computeTagSize(Chunk.DATA_FIELD_NUMBER)
            + CodedOutputStream.computeUInt32SizeNoTag(dataBytes);
    byte[] header = new byte[size];
    CodedOutputStream out = CodedOutputStream.newInstance(header);
    try {
      out.writeInt64(Chunk.TOTAL_BYTES_FIELD_NUMBER, chunk.totalBytes());
      out.writeTag(Chunk.DATA_FIELD_NUMBER, 2); // length-delimited
      out.writeUInt32NoTag(dataBytes);
      out.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("the header has the computed size", e);
    }
    return header;
  }

  @Override
  public int available() {
    return Math.toIntExact(header.length + data.byteSize() - at);
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int sent = available();
    byte[] step = new byte[STEP_BYTES];
    for (int n = read(step); n > 0; n = read(step)) {
      target.write(step, 0, n);
    }
    return sent;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target) {
    return read(target, 0, target.length);
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int n;
    if (at < header.length) {
      n = (int) Math.min(length, header.length - at);
      System.arraycopy(header, (int) at, target, offset, n);
    } else {
      long from = at - header.length;
      n = (int) Math.min(length, data.byteSize() - from);
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, from, target, offset, n);
    }
    at += n;
    return n == 0 ? -1 : n;
  }
}
