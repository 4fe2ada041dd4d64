package io.aktis.runtime.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jctools.queues.SpscUnboundedArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue from one who adds to one who takes, and goes away when there is nothing: whoever adds is
 * told when a taker has to be called again.
 *
 * <p>For one adding thread and one taking thread at a time.
 *
 * @param <T> what is handed over
 */
public final class HandOff<T> {
  private static final int CHUNK = 64;
  private static final VarHandle TAKEN_CARE_OF;

  static {
    try {
      TAKEN_CARE_OF =
          MethodHandles.lookup().findVarHandle(HandOff.class, "takenCareOf", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final SpscUnboundedArrayQueue<T> queue = new SpscUnboundedArrayQueue<>(CHUNK);

  /** Somebody takes, or was called to. */
  private volatile boolean takenCareOf;

  /** Makes a queue that nobody takes from. */
  public HandOff() {}

  /**
   * Adds something.
   *
   * @return whether a taker has to be called
   */
  public boolean add(T item) {
    queue.offer(item);
    // The taker says that it goes, and then looks once more; who adds then looks whether it has
    // gone. For one of the two to see the other, neither look may come before what was said.
    VarHandle.fullFence();
    return !takenCareOf && comes();
  }

  private boolean comes() {
    return TAKEN_CARE_OF.compareAndSet(this, false, true);
  }

  /** Takes the next; {@code null} when there is none. */
  public @Nullable T take() {
    return queue.poll();
  }

  /**
   * The taker has found nothing and wants to go.
   *
   * @return whether it may; otherwise there is more
   */
  public boolean leave() {
    takenCareOf = false;
    return queue.isEmpty() || !comes();
  }
}
