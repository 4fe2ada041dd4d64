package io.aktis;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A reference to one immutable value that exists now or will exist: the result of a task or an
 * actor call, or a value that was put.
 *
 * <p>A reference is released when it is closed, or, as a backstop, when the collector finds it
 * unreachable. Passing it as an argument hands the task the value; inside a container it stays a
 * reference. Everybody who gets a mutable Java value gets a copy of their own.
 *
 * <p>Thread-safe. Implemented by the engine only. What asks for the value throws {@link
 * IllegalStateException} when this reference was closed, and {@link SessionClosedException} when
 * its session was.
 *
 * @param <T> type of the value
 */
public interface ObjectRef<T> extends Arg<T>, AutoCloseable {
  /**
   * Waits for the value. Inside a task the CPU of the task is lent to others meanwhile.
   *
   * @throws TaskFailedException when the code that makes the value threw; the cause is what it
   *     threw
   * @throws AktisException of another kind when the value cannot be had, see its subclasses
   */
  T get();

  /**
   * Waits for the value until {@code timeout} is over; zero only looks. The task goes on.
   *
   * @throws TimeoutException when the time is over
   */
  T get(Duration timeout);

  /**
   * Waits for the value, which must be a buffer, a memory segment, an array of primitives or a
   * table of Apache Arrow, and returns its bytes read-only: without a copy where it lies in the
   * object store. Those of a table are a stream in Arrow's IPC format.
   *
   * @throws IllegalStateException when the value is of another kind
   * @throws AktisException when the value cannot be had, as {@link #get}
   */
  MemorySegment view();

  /** Returns whether the value, or the failure in its place, is there; never waits. */
  boolean isReady();

  /**
   * Returns a future that completes with the value, or with the exception {@link #get} throws, on a
   * thread of the session. Cancelling the future does not cancel the task.
   */
  CompletableFuture<T> future();

  /**
   * Cancels the task that makes this value, and the tasks that it submitted. Returns at once: code
   * that runs is interrupted, and decides how it ends.
   *
   * @return what happened
   */
  CancelResult cancel();

  /**
   * Cancels with options; with {@link CancelOptions#force} it waits up to the grace period.
   *
   * @return what happened
   */
  CancelResult cancel(CancelOptions options);

  /** Returns the id as text, as logs and tools show it. */
  String id();

  /**
   * Returns why the value is not there yet, in words: what its task waits for, or that it runs, has
   * ended or failed. Never waits.
   */
  String why();

  /** Returns how many times the task that makes this value has been started; 0 for a put value. */
  int attempts();

  /** Releases this reference; the value goes when the last reference to it does. Idempotent. */
  @Override
  void close();
}
