package io.aktis.wire.arrow;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowBuffer;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The stream of a table as pieces that lie one after the other: metadata and padding of its own,
 * and between them the memory of the vectors, borrowed. So the size is known, and the bytes are
 * copied once.
 *
 * <p>The body of the batch starts at a multiple of 64. Its buffers follow each other at multiples
 * of 8, as Arrow for Java lays them out.
 */
final class TablePieces {
  private static final int ALIGNMENT = 64;
  private static final int PREFIX_BYTES = 8;
  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[ALIGNMENT]).asReadOnly();

  private final List<MemorySegment> pieces = new ArrayList<>();
  private long sizeBytes;

  private TablePieces() {}

  static List<MemorySegment> of(VectorSchemaRoot root) {
    TablePieces stream = new TablePieces();
    stream.addMessage(MessageSerializer.serializeMetadata(schema(root), IpcOption.DEFAULT));
    try (ArrowRecordBatch batch = new VectorUnloader(root).getRecordBatch()) {
      stream.addMessage(MessageSerializer.serializeMetadata(batch, IpcOption.DEFAULT));
      stream.addBody(batch);
    }
    stream.add(prefix(0));
    return stream.pieces;
  }

  /**
   * Returns the schema that the vectors have: that of the root is behind when children came in
   * later.
   */
  private static Schema schema(VectorSchemaRoot root) {
    return new Schema(
        root.getFieldVectors().stream().map(FieldVector::getField).toList(),
        root.getSchema().getCustomMetadata());
  }

  /** Adds the mark of a message, the length of its metadata, and the metadata with padding. */
  private void addMessage(ByteBuffer metadata) {
    long end = sizeBytes + PREFIX_BYTES + metadata.remaining();
    int padding = (int) (-end & (ALIGNMENT - 1));
    add(prefix(metadata.remaining() + padding));
    add(MemorySegment.ofBuffer(metadata));
    add(ZEROS.asSlice(0, padding));
  }

  private static MemorySegment prefix(int length) {
    byte[] prefix = new byte[PREFIX_BYTES];
    ByteBuffer.wrap(prefix)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MessageSerializer.IPC_CONTINUATION_TOKEN)
        .putInt(length);
    return MemorySegment.ofArray(prefix);
  }

  private void addBody(ArrowRecordBatch batch) {
    long start = sizeBytes;
    List<ArrowBuf> buffers = batch.getBuffers();
    List<ArrowBuffer> layout = batch.getBuffersLayout();
    for (int i = 0; i < buffers.size(); i++) {
      addZeros(start + layout.get(i).getOffset() - sizeBytes);
      add(borrow(buffers.get(i)));
    }
    addZeros(start + batch.computeBodyLength() - sizeBytes);
  }

  @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
  private static MemorySegment borrow(ArrowBuf buffer) {
    return MemorySegment.ofAddress(buffer.memoryAddress() + buffer.readerIndex())
        .reinterpret(buffer.readableBytes())
        .asReadOnly();
  }

  private void addZeros(long count) {
    add(ZEROS.asSlice(0, count));
  }

  private void add(MemorySegment piece) {
    if (piece.byteSize() > 0) {
      pieces.add(piece);
      sizeBytes += piece.byteSize();
    }
  }
}
