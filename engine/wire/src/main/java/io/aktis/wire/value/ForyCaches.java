package io.aktis.wire.value;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.fory.type.Descriptor;
import org.apache.fory.util.function.Functions;

/**
 * Caches that Fory keeps for the whole process and that hold classes of jobs. One lets them go when
 * memory gets short. The other, of records, never does, and has no door: it is opened by
 * reflection. Should it move, records of closed jobs stay loaded, and the test of unloading tells.
 */
final class ForyCaches {
  private ForyCaches() {}

  /** Empties the caches. They fill again on demand. */
  static void clear() {
    Descriptor.clearDescriptorCache();
    try {
      Object cache = read(Functions.class, "weakCache", Functions.class);
      ((Map<?, ?>) read(cache.getClass(), "map", cache)).clear();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return;
    }
  }

  private static Object read(Class<?> type, String name, Object from)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(from);
  }
}
