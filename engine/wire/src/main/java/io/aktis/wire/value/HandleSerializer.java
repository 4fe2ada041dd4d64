package io.aktis.wire.value;

import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.serializer.Serializer;

/** Writes a handle as its position in the table of the handles that the value holds. */
final class HandleSerializer extends Serializer<Object> {
  private final ForyUnit unit;

  @SuppressWarnings("unchecked")
  HandleSerializer(Config config, Class<?> type, ForyUnit unit) {
    super(config, (Class<Object>) type, false, true);
    this.unit = unit;
  }

  @Override
  public void write(WriteContext context, Object handle) {
    context.getBuffer().writeVarUInt32(unit.outgoing().addHandle(handle));
  }

  @Override
  public Object read(ReadContext context) {
    return unit.incoming().handle(context.getBuffer().readVarUInt32());
  }
}
