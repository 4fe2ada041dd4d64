package io.aktis.wire.value;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.fory.type.Descriptor;
import org.apache.fory.util.function.Functions;
import org.jspecify.annotations.Nullable;

/**
 * Caches that Fory keeps for the whole process and that hold classes of jobs: one for ever, one
 * until memory gets short. There is no door to them, so this one is made by reflection; should they
 * move, classes of closed jobs stay loaded, and the test of unloading tells.
 */
final class ForyCaches {
  private ForyCaches() {}

  /** Empties the caches. They fill again on demand. */
  static void clear() {
    clear(Functions.class, "weakCache");
    clear(Descriptor.class, "descCache", "cache");
  }

  /** Follows fields from a static one to an object with a field {@code map}, and clears that. */
  private static void clear(Class<?> owner, String... path) {
    try {
      Object at = null;
      Class<?> type = owner;
      for (String step : path) {
        at = read(type, step, at);
        type = at.getClass();
      }
      ((Map<?, ?>) read(type, "map", at)).clear();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return;
    }
  }

  private static Object read(Class<?> type, String name, @Nullable Object from)
      throws ReflectiveOperationException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(from);
  }
}
