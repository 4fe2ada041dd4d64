package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one encoding gathers beside the bytes in band.
 *
 * <p>Confined to the thread that encodes; reused by its {@link ForyUnit}.
 */
final class Outgoing {
  private final HandleHooks hooks;
  private final HandleTable handles = new HandleTable();
  private final ArrayList<Pieces> buffers = new ArrayList<>();
  private ThrowableCodec.@Nullable Substitutes substitutes;
  private @Nullable ThrowableStory story;
  private boolean views;

  Outgoing(HandleHooks hooks) {
    this.hooks = hooks;
  }

  /** Enters a handle and returns its position in the table. */
  int addHandle(Object handle) {
    return handles.indexOf(hooks.id(handle), handle);
  }

  /** Enters memory to be kept out of band and returns its position among the buffers. */
  int addBuffer(MemorySegment memory, boolean decodedToView) {
    return addBuffer(Pieces.of(memory), decodedToView);
  }

  /** The same for memory in several pieces. */
  int addBuffer(Pieces memory, boolean decodedToView) {
    views |= decodedToView;
    buffers.add(memory);
    return buffers.size() - 1;
  }

  /** Sets the description that the failures to be encoded belong to. */
  void tell(ThrowableStory told, ThrowableCodec.Substitutes replaced) {
    story = told;
    substitutes = replaced;
  }

  @Nullable ThrowableStory story() {
    return story;
  }

  @Nullable RemoteThrowable substitute(Throwable throwable) {
    return substitutes == null ? null : substitutes.of(throwable);
  }

  List<Pieces> buffers() {
    return buffers;
  }

  /** Completes an encoding that can no longer fail: exports its handles. */
  void addTo(Encoded.Builder parts) {
    parts.views = views;
    if (!buffers.isEmpty()) {
      parts.buffers = List.copyOf(buffers);
    }
    if (!handles.isEmpty()) {
      parts.handleIds = handles.ids();
      parts.exported = List.of(export());
    }
  }

  /** Exports each handle once and returns the tokens in order. */
  Object[] export() {
    List<Object> met = handles.handles();
    Object[] tokens = new Object[met.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = hooks.export(met.get(i));
    }
    return tokens;
  }

  void clear() {
    handles.clear();
    if (!buffers.isEmpty()) {
      buffers.clear();
    }
    substitutes = null;
    story = null;
    views = false;
  }
}
