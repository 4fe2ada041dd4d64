package io.aktis.wire.value;

import java.util.Map;

/**
 * What the codec asks the runtime about handles, that is references to objects, actors and groups
 * found inside values. A handle is never copied as a Java object: it leaves as an id, and whoever
 * counts references is told about each that leaves and each that arrives.
 *
 * <p>Thread-safe; the codec calls from whichever thread encodes or decodes, never under a lock of
 * its own.
 */
public interface HandleHooks {
  /** Hooks of a codec that knows no handles. */
  HandleHooks NONE =
      new HandleHooks() {
        @Override
        public Map<String, Class<?>> types() {
          return Map.of();
        }

        @Override
        public HandleId id(Object handle) {
          throw new IllegalArgumentException("no handles here");
        }

        @Override
        public Object export(Object handle) {
          throw new IllegalArgumentException("no handles here");
        }

        @Override
        public Object restore(Object token) {
          throw new IllegalArgumentException("no handles here");
        }

        @Override
        public Object resolve(HandleId id) {
          throw new IllegalArgumentException("no handles here");
        }
      };

  /**
   * Returns the concrete classes that implement handles, each under the name it has in the bytes.
   * Names agree between all processes of a job; the classes may differ. Asked once.
   */
  Map<String, Class<?>> types();

  /** Returns what the handle names. No side effect; called once for each place it is met at. */
  HandleId id(Object handle);

  /**
   * Tells that the handle is in a value that has been encoded, once for each distinct id, when the
   * encoding can no longer fail.
   *
   * @return a token that stands for the reference until {@link #release}; it travels in {@link
   *     Encoded#exported()}
   */
  Object export(Object handle);

  /** Makes a handle of a token, in the process that exported it. May be asked repeatedly. */
  Object restore(Object token);

  /** Makes a handle of an id that arrived as bytes. */
  Object resolve(HandleId id);

  /** Tells that a token which only the codec has seen is gone. */
  default void release(Object token) {}
}
