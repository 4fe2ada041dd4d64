package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.fory.serializer.Serializer;

/**
 * The forms of arrays, buffers and segments inside a graph. Each starts with the position of its
 * buffer plus one, or with zero if its bytes follow in band; that of a table with the position.
 */
@SuppressWarnings("unchecked")
final class MemorySerializers {
  private MemorySerializers() {}

  /** Primitive arrays; decoded to arrays. */
  static final class OfArray extends Serializer<Object> {
    private final ArrayKind kind;
    private final Serializer<Object> inBand;
    private final ForyUnit unit;

    OfArray(Config config, ArrayKind kind, Serializer<?> inBand, ForyUnit unit) {
      super(config, (Class<Object>) kind.type);
      this.kind = kind;
      this.inBand = (Serializer<Object>) inBand;
      this.unit = unit;
    }

    @Override
    public void write(WriteContext context, Object array) {
      MemoryBuffer out = context.getBuffer();
      if (kind.sizeBytes(array) < Encoded.BUFFER_MIN_BYTES) {
        out.writeVarUInt32(0);
        inBand.write(context, array);
      } else {
        out.writeVarUInt32(unit.outgoing().addBuffer(kind.segment(array), false) + 1);
      }
    }

    @Override
    public Object read(ReadContext context) {
      int buffer = context.getBuffer().readVarUInt32();
      return buffer == 0 ? inBand.read(context) : kind.array(unit.incoming().buffer(buffer - 1));
    }
  }

  /** Byte buffers: what is between position and limit, and the order. Decoded to read-only ones. */
  static final class OfBuffer extends Serializer<ByteBuffer> {
    private final ForyUnit unit;

    OfBuffer(Config config, Class<?> type, ForyUnit unit) {
      super(config, (Class<ByteBuffer>) type);
      this.unit = unit;
    }

    @Override
    public void write(WriteContext context, ByteBuffer value) {
      MemoryBuffer out = context.getBuffer();
      out.writeBoolean(value.order() == ByteOrder.LITTLE_ENDIAN);
      writeMemory(out, Memory.of(value), unit);
    }

    @Override
    public ByteBuffer read(ReadContext context) {
      MemoryBuffer in = context.getBuffer();
      boolean little = in.readBoolean();
      int buffer = in.readVarUInt32();
      return buffer == 0
          ? Memory.asBuffer(MemorySegment.ofArray(Memory.readSized(in)), false, little)
          : Memory.asBuffer(unit.incoming().buffer(buffer - 1), unit.incoming().isSealed(), little);
    }
  }

  /** Memory segments, decoded to read-only ones. */
  static final class OfSegment extends Serializer<MemorySegment> {
    private final ForyUnit unit;

    OfSegment(Config config, Class<?> type, ForyUnit unit) {
      super(config, (Class<MemorySegment>) type);
      this.unit = unit;
    }

    @Override
    public void write(WriteContext context, MemorySegment value) {
      writeMemory(context.getBuffer(), Memory.of(value), unit);
    }

    @Override
    public MemorySegment read(ReadContext context) {
      MemoryBuffer in = context.getBuffer();
      int buffer = in.readVarUInt32();
      return buffer == 0
          ? Memory.asSegment(MemorySegment.ofArray(Memory.readSized(in)), false)
          : Memory.asSegment(unit.incoming().buffer(buffer - 1), unit.incoming().isSealed());
    }
  }

  /** Tables and vectors of Arrow: always a buffer. Decoded to those that lie in it. */
  static final class OfTable extends Serializer<Object> {
    private final ForyUnit unit;

    OfTable(Config config, Class<?> type, ForyUnit unit) {
      super(config, (Class<Object>) type);
      this.unit = unit;
    }

    @Override
    public void write(WriteContext context, Object table) {
      context.getBuffer().writeVarUInt32(unit.outgoing().addBuffer(Tables.pieces(table), true));
    }

    @Override
    public Object read(ReadContext context) {
      int buffer = context.getBuffer().readVarUInt32();
      return Tables.decode(unit.incoming().buffer(buffer), getType());
    }
  }

  private static void writeMemory(MemoryBuffer out, MemorySegment memory, ForyUnit unit) {
    if (memory.byteSize() < Encoded.BUFFER_MIN_BYTES) {
      out.writeVarUInt32(0);
      Memory.writeSized(out, Memory.bytes(memory));
    } else {
      out.writeVarUInt32(unit.outgoing().addBuffer(memory, true) + 1);
    }
  }
}
