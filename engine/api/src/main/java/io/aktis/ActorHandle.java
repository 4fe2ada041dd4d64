package io.aktis;

import java.time.Duration;

/**
 * A handle on an actor. Handles may be passed to tasks and actors and kept in containers.
 *
 * <p>An actor that is not detached ends when its last handle is released: closed, or found
 * unreachable. It then finishes the calls it has and, if it is {@link AutoCloseable}, is closed.
 *
 * <p>Thread-safe. Implemented by the engine only.
 *
 * @param <T> class of the actor
 */
public interface ActorHandle<T> extends ActorMethods<T>, AutoCloseable {
  /** Returns a reference that is ready when the constructor has run, or failed with its failure. */
  ObjectRef<Void> ready();

  /**
   * Returns a view whose calls run in that concurrency group.
   *
   * @throws IllegalArgumentException when the actor has no such group
   */
  ActorMethods<T> in(String group);

  /**
   * Returns a view whose calls are cancelled, and fail with {@link TaskCancelledException}, when
   * they are not done within {@code limit}.
   *
   * @throws IllegalArgumentException when {@code limit} is not above zero
   */
  ActorMethods<T> timeout(Duration limit);

  /**
   * Ends the actor at once; it is not restarted, and its pending calls fail with {@link
   * ActorDiedException}. Waits until its name is free again. Idempotent.
   */
  void kill();

  /**
   * Ends the actor at once as if its process were lost: it restarts while its budget lasts. Returns
   * at once; an actor that is being made is left alone.
   */
  void killAndRestart();

  /** Returns the id as text. */
  String id();

  /** Returns the name, empty if it has none. */
  String name();

  /** Releases this handle; using it afterwards is an {@link IllegalStateException}. Idempotent. */
  @Override
  void close();
}
