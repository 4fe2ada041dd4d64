package io.aktis.wire.value;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Failures as bytes and back.
 *
 * <p>The throwable is tried as a whole. If that fails, each throwable among its causes and
 * suppressed failures is tried with all others replaced, which tells the bad ones; then the whole
 * again with those replaced by their descriptions. So the exception that the user catches keeps its
 * type even if something deep in its causes cannot be sent.
 *
 * <p>Thread-safe.
 */
final class ThrowableCodec {
  /** Tells which throwables are replaced by descriptions. */
  interface Substitutes {
    @Nullable RemoteThrowable of(Throwable throwable);
  }

  private final UnitPool units;

  ThrowableCodec(UnitPool units) {
    this.units = units;
  }

  Encoded encode(Throwable throwable) {
    ThrowableStory story = ThrowableStory.of(throwable);
    Encoded whole = attempt(throwable, story, each -> null);
    if (whole != null) {
      return whole;
    }
    IdentityHashMap<Throwable, RemoteThrowable> bad = findBad(story);
    boolean mendable = !bad.isEmpty() && !bad.containsKey(throwable);
    Encoded mended = mendable ? attempt(throwable, story, bad::get) : null;
    return mended != null ? mended : story.encoded();
  }

  /** Tries every throwable of the story alone. */
  private IdentityHashMap<Throwable, RemoteThrowable> findBad(ThrowableStory story) {
    List<Throwable> all = story.throwables();
    List<RemoteThrowable> descriptions = story.linked();
    IdentityHashMap<Throwable, RemoteThrowable> bad = new IdentityHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      Throwable tried = all.get(i);
      int position = i;
      Substitutes others = each -> story.positionOf(each) == position ? null : story.alone(each);
      if (!works(tried, story, others)) {
        bad.put(tried, descriptions.get(i));
      }
    }
    return bad;
  }

  private boolean works(Throwable throwable, ThrowableStory story, Substitutes substitutes) {
    try {
      ForyUnit unit = units.take();
      unit.tryThrowable(throwable, story, substitutes);
      units.give(unit);
      return true;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      return false;
    }
  }

  private @Nullable Encoded attempt(
      Throwable throwable, ThrowableStory story, Substitutes substitutes) {
    try {
      ForyUnit unit = units.take();
      Encoded encoded = unit.encodeThrowable(throwable, story, substitutes);
      units.give(unit);
      return encoded;
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      return null;
    }
  }

  Throwable decode(Encoded encoded) {
    int length = Math.toIntExact(encoded.inBandBytes());
    byte[] bytes = encoded.inBandArray();
    int start = encoded.inBandStart();
    ThrowableStory story = ThrowableStory.read(bytes, start, length);
    int objectLength = length - story.lengthBytes();
    if (objectLength > 0) {
      int from = start + story.lengthBytes();
      Throwable original = attempt(encoded, story, Arrays.copyOfRange(bytes, from, start + length));
      if (original != null) {
        return original;
      }
    }
    return story.linked().getFirst();
  }

  private @Nullable Throwable attempt(Encoded encoded, ThrowableStory story, byte[] object) {
    try {
      ForyUnit unit = units.take();
      Throwable throwable = unit.decodeThrowable(encoded, story, object);
      units.give(unit);
      return throwable;
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return null;
    }
  }
}
