package io.aktis.core.owner;

import java.util.function.Consumer;

/**
 * Where the parts of an owner put their effects, and what time it is for them. Confined to the
 * owner's loop.
 */
final class Effects {
  private Consumer<? super OwnerEffect> sink = effect -> {};
  private long nowMs;

  void begin(long timeMs, Consumer<? super OwnerEffect> out) {
    nowMs = timeMs;
    sink = out;
  }

  long nowMs() {
    return nowMs;
  }

  void add(OwnerEffect effect) {
    sink.accept(effect);
  }
}
