package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one decoding needs beside the bytes in band.
 *
 * <p>Confined to the thread that decodes.
 */
final class Incoming {
  private final HandleHooks hooks;
  private final List<HandleId> ids;
  private final List<Object> tokens;
  private final List<Pieces> buffers;
  private final boolean sealed;
  private final @Nullable ThrowableStory story;
  private final @Nullable Object[] handles;

  private Incoming(
      HandleHooks hooks,
      List<HandleId> ids,
      List<Object> tokens,
      List<Pieces> buffers,
      boolean sealed,
      @Nullable ThrowableStory story) {
    this.hooks = hooks;
    this.ids = ids;
    this.tokens = tokens;
    this.buffers = buffers;
    this.sealed = sealed;
    this.story = story;
    this.handles = new Object[Math.max(ids.size(), tokens.size())];
  }

  static Incoming of(HandleHooks hooks, Encoded encoded, @Nullable ThrowableStory story) {
    return new Incoming(
        hooks,
        encoded.handleIds(),
        encoded.exported(),
        encoded.buffers(),
        encoded.isSealed(),
        story);
  }

  /** Of a copy within the process, which is never bytes of its own. */
  static Incoming ofCopy(HandleHooks hooks, Object[] tokens, List<Pieces> buffers) {
    return new Incoming(hooks, List.of(), List.of(tokens), buffers, false, null);
  }

  /** Returns the handle at that position of the table, the same object each time. */
  Object handle(int index) {
    Object handle = handles[index];
    if (handle == null) {
      handle = tokens.isEmpty() ? hooks.resolve(ids.get(index)) : hooks.restore(tokens.get(index));
      handles[index] = handle;
    }
    return handle;
  }

  MemorySegment buffer(int index) {
    return buffers.get(index).memory();
  }

  /** Returns whether buffers stay as they are, so that views on them may be handed out. */
  boolean isSealed() {
    return sealed;
  }

  ThrowableStory story() {
    if (story == null) {
      throw new ValueDecodeException("a failure without its description", null);
    }
    return story;
  }
}
