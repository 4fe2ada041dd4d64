package io.aktis.wire.arrow;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads the stream of a table; the vectors of the result lie where the stream does.
 *
 * <p>Confined to the thread that reads.
 */
final class TableView {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int PREFIX_BYTES = 8;

  private final MemorySegment stream;
  private long position;

  private TableView(MemorySegment stream) {
    this.stream = stream;
  }

  /**
   * Returns the table.
   *
   * @param stream native memory, which is kept reachable until the table is closed or is not
   *     reachable itself
   * @throws IOException if the bytes are no such stream, or one that is not supported
   */
  static VectorSchemaRoot of(MemorySegment stream) throws IOException {
    return new TableView(stream).read();
  }

  private VectorSchemaRoot read() throws IOException {
    Message first = next();
    if (first == null || first.headerType() != MessageHeader.Schema) {
      throw new IOException("a stream of Arrow starts with a schema");
    }
    Schema schema = MessageSerializer.deserializeSchema(first);
    Field encoded = TableCheck.dictionaryEncoded(schema.getFields());
    if (encoded != null) {
      throw new IOException("the column '" + encoded.getName() + "' is encoded with a dictionary");
    }
    BufferAllocator allocator = CollectedMemory.allocator();
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    Message batch = next();
    if (batch != null) {
      load(batch, root, allocator);
      if (next() != null) {
        throw new IOException("the table has more than one batch");
      }
    }
    return root;
  }

  private void load(Message message, VectorSchemaRoot root, BufferAllocator allocator)
      throws IOException {
    if (message.headerType() != MessageHeader.RecordBatch) {
      throw new IOException("a record batch was expected, not a message " + message.headerType());
    }
    MemorySegment body = stream.asSlice(position, message.bodyLength());
    position += message.bodyLength();
    try (ArrowRecordBatch batch =
        MessageSerializer.deserializeRecordBatch(message, wrap(body, allocator))) {
      new VectorLoader(root).load(batch);
    }
  }

  private static ArrowBuf wrap(MemorySegment body, BufferAllocator allocator) {
    return body.byteSize() == 0
        ? CollectedMemory.EMPTY
        : allocator.wrapForeignAllocation(new CollectedMemory.View(body));
  }

  /** Returns the next message, {@code null} at the end; its body starts at the position then. */
  private @Nullable Message next() throws IOException {
    if (stream.get(INT, position) != MessageSerializer.IPC_CONTINUATION_TOKEN) {
      throw new IOException("not a stream of Arrow, or one older than its version 0.15");
    }
    int length = stream.get(INT, position + 4);
    if (length == 0) {
      return null;
    }
    byte[] metadata =
        stream.asSlice(position + PREFIX_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
    position += PREFIX_BYTES + length;
    return Message.getRootAsMessage(ByteBuffer.wrap(metadata));
  }
}
