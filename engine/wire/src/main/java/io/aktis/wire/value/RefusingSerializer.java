package io.aktis.wire.value;

import org.apache.fory.config.Config;
import org.apache.fory.context.ReadContext;
import org.apache.fory.context.WriteContext;
import org.apache.fory.serializer.Serializer;

/**
 * Stands in for the form of a class that is refused. It refuses values, not the class: a field that
 * could hold a lock but holds null harms nobody.
 */
final class RefusingSerializer extends Serializer<Object> {
  @SuppressWarnings("unchecked")
  RefusingSerializer(Config config, Class<?> type) {
    super(config, (Class<Object>) type);
  }

  @Override
  public void write(WriteContext context, Object value) {
    throw refusal(value);
  }

  @Override
  public Object read(ReadContext context) {
    throw new ValueDecodeException("a " + getType().getName() + " is never sent", null);
  }

  /** Makes the refusal of an instance of a class that is refused. */
  static Refusal refusal(Object value) {
    String advice = ShippingRules.advice(value.getClass());
    if (Jdk.isLambda(value.getClass())) {
      return ShippingRules.refuse(
          value, "take it as one of the function types of Aktis, or cast it to (… & Serializable)");
    }
    return advice == null
        ? ShippingRules.refuseUnknown(value)
        : ShippingRules.refuse(value, advice);
  }
}
