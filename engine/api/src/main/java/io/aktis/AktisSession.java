package io.aktis;

import io.aktis.function.TaskFunction1;
import io.aktis.spi.MapPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * A running session: the engine as one program sees it. {@link Aktis} offers the same methods on
 * the current session.
 *
 * <p>Thread-safe. Implemented by engines only. After {@link #close} everything that belongs to it
 * fails with {@link SessionClosedException}.
 */
public interface AktisSession extends TaskFactory, AutoCloseable {
  /** Returns the id of the session. */
  String id();

  /** Returns the namespace where names of actors are looked up and made. */
  String namespace();

  /** Returns whether the session was closed. */
  boolean isClosed();

  /**
   * Stores a sealed copy of {@code value}; waits while the object store is full.
   *
   * @throws IllegalArgumentException when {@code value} is a reference
   * @throws NotSerializableException when it cannot be stored; names the field
   * @throws ObjectStoreFullException when no room is made in time, or it is larger than the store
   * @throws OutOfDiskException when no room is made because the disk takes nothing
   */
  <T> ObjectRef<T> put(T value);

  /** Waits for the value; the same as {@link ObjectRef#get()}. */
  default <T> T get(ObjectRef<T> ref) {
    return Checks.notNull(ref, "the reference").get();
  }

  /**
   * Waits for the value until {@code timeout} is over; zero only looks.
   *
   * @throws TimeoutException when the time is over; what makes the value goes on
   */
  default <T> T get(ObjectRef<T> ref, Duration timeout) {
    return Checks.notNull(ref, "the reference").get(timeout);
  }

  /**
   * Waits for all values and returns them in the order given.
   *
   * @throws AktisException the first failure, at once, though others are not ready
   */
  <T> List<T> get(Collection<? extends ObjectRef<? extends T>> refs);

  /**
   * Waits for all values until {@code timeout} is over.
   *
   * @throws TimeoutException when the time is over; what makes the values goes on
   */
  <T> List<T> get(Collection<? extends ObjectRef<? extends T>> refs, Duration timeout);

  /**
   * Waits until one of {@code refs} is ready, failed included.
   *
   * @throws IllegalArgumentException on duplicates, or when there is no reference
   */
  <T> WaitResult<T> wait(List<ObjectRef<T>> refs);

  /**
   * Waits until {@code count} of {@code refs} are ready, failed included, or {@code timeout} is
   * over.
   *
   * @throws IllegalArgumentException on duplicates, or a count below 1 or above the size
   */
  <T> WaitResult<T> wait(
      List<ObjectRef<T>> refs, int count, Duration timeout, WaitOption... options);

  /**
   * Gives the references one by one as they finish, failed included. Each step waits for the next;
   * the whole costs time linear in their number. The iteration can be done once.
   */
  <T> Iterable<ObjectRef<T>> completed(Collection<? extends ObjectRef<T>> refs);

  /** Prepares an ordered parallel map that makes batches by itself. */
  default <T, R> MapCall<T, R> map(
      Collection<? extends T> items, TaskFunction1<? super T, ? extends R> function) {
    List<T> copy = new ArrayList<>(Checks.notNull(items, "the items"));
    return new MapCall<>(
        engine(),
        copy,
        Checks.notNull(function, "the function"),
        new MapPlan(CallOptions.DEFAULTS, 0, null));
  }

  /**
   * Returns an {@link ExecutorService} whose work runs in this process on the session's resources,
   * one CPU each. Shutting it down ends the view, not the session. Its work need not be
   * serializable and is not copied, as with any executor. What work throws that was given to {@code
   * execute} is lost; that of {@code submit} is in its future, whose {@code get} lends the CPU of
   * the task that waits.
   */
  ExecutorService executor();

  /**
   * Returns the running actor of that name in this session's namespace, as one of class {@code
   * type}.
   *
   * @throws IllegalArgumentException when there is none; the message lists where the name exists
   */
  default <A> ActorHandle<A> getActor(Class<A> type, String name) {
    return getActor(type, name, namespace());
  }

  /**
   * Returns the running actor of that name in {@code namespace}, as one of class {@code type},
   * which is checked once the actor is made.
   *
   * @throws IllegalArgumentException when there is none; the message lists where the name exists
   */
  <A> ActorHandle<A> getActor(Class<A> type, String name, String namespace);

  /**
   * Prepares a placement group of bundles.
   *
   * @throws IllegalArgumentException when there is no bundle
   */
  default PlacementGroupCall placementGroup(PlacementStrategy strategy, Bundle... bundles) {
    return new PlacementGroupCall(
        engine(), strategy, Arrays.asList(Checks.notNull(bundles, "the bundles")), null, false);
  }

  /**
   * Returns the placement group of that name.
   *
   * @throws IllegalArgumentException when there is none
   */
  PlacementGroup getPlacementGroup(String name);

  /** Returns the nodes, their resources, and what waits for them. */
  ClusterInfo cluster();

  /**
   * Ends the session: its tasks, actors and groups, then all that it started. Waits for the end, up
   * to 10 s for code that ignores its interrupt. Idempotent; also done when the JVM ends.
   *
   * @throws IllegalStateException when called by a task or an actor of this session
   */
  @Override
  void close();
}
