package io.aktis.coordination;

import static io.aktis.coordination.Calls.FOREVER_NS;
import static io.aktis.coordination.Calls.MAX_WAITING;
import static io.aktis.coordination.Calls.answer;
import static io.aktis.coordination.Calls.atLeastOne;
import static io.aktis.coordination.Calls.nanos;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ConcurrencyGroups;
import io.aktis.TimeoutException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A bounded first-in, first-out queue between the driver, tasks and actors.
 *
 * <pre>{@code
 * Queue<Page> pages = Queue.of(100);
 * Aktis.run(Crawler::fill, pages).remote();   // puts, and waits while the queue is full
 * Page first = pages.take();                  // waits while it is empty
 * }</pre>
 *
 * <p>The queue is a small value around an actor: pass it as an argument or keep it in a container,
 * and everybody shares the same elements. Elements are copied on their way like any argument, and
 * never {@code null}; put large values as {@link io.aktis.ObjectRef}s, which stay references.
 *
 * <p>Waiting callers are served in the order their calls arrive, batches included. Up to 10,000 can
 * wait on either side, further ones wait behind them; waiting takes no CPU, and inside a task the
 * CPU of the task is lent to others. A timeout runs from the moment the call arrives, and a call
 * that timed out has changed nothing. An interrupted caller gets {@link
 * io.aktis.CallerInterruptedException}, and the call has changed nothing; or the call was done by
 * then, and the caller finds itself interrupted afterwards. An element handed to a task whose
 * process is lost is lost with it.
 *
 * <p>All methods are thread-safe. They throw {@link io.aktis.ActorDiedException} when the queue was
 * lost with its node, and {@link IllegalStateException} when this handle was closed.
 *
 * @param <E> type of the elements
 */
public final class Queue<E> implements AutoCloseable {
  private static final String PUT = "put";
  private static final String TAKE = "take";

  private final ActorHandle<QueueActor> actor;
  private final int capacity;

  private Queue(ActorHandle<QueueActor> actor, int capacity) {
    this.actor = actor;
    this.capacity = capacity;
  }

  /**
   * Creates a queue in the current session.
   *
   * @param capacity elements it holds before {@code put} waits
   * @throws IllegalArgumentException when {@code capacity} is below 1
   */
  public static <E> Queue<E> of(int capacity) {
    return of(Aktis.session(), capacity);
  }

  /** Creates a queue in {@code session}. */
  public static <E> Queue<E> of(AktisSession session, int capacity) {
    Objects.requireNonNull(session, "the session must not be null");
    atLeastOne(capacity, "the capacity");
    return new Queue<>(
        Calls.create(
            session.actor(QueueActor::new, capacity),
            ConcurrencyGroups.of(PUT, MAX_WAITING, TAKE, MAX_WAITING)),
        capacity);
  }

  /** Appends an element; waits while the queue is full. */
  public void put(E element) {
    putWithin(listOf(element), FOREVER_NS);
  }

  /**
   * Appends an element; waits for room until {@code timeout} is over.
   *
   * @throws TimeoutException when there was no room in time
   */
  public void put(E element, Duration timeout) {
    putOrTimeOut(listOf(element), timeout);
  }

  /** Appends an element if there is room and nobody waits to put; returns whether it did. */
  public boolean offer(E element) {
    return putWithin(listOf(element), 0);
  }

  /**
   * Appends all elements in order, with none of others between them; waits until there is room for
   * all.
   *
   * @throws IllegalArgumentException when there are more than the queue can hold
   */
  public void putAll(Collection<? extends E> elements) {
    putWithin(batchOf(elements), FOREVER_NS);
  }

  /**
   * Appends all elements as {@link #putAll(Collection)} does; waits until {@code timeout} is over.
   *
   * @throws TimeoutException when there was no room in time; none was appended
   * @throws IllegalArgumentException when there are more than the queue can hold
   */
  public void putAll(Collection<? extends E> elements, Duration timeout) {
    putOrTimeOut(batchOf(elements), timeout);
  }

  /** Removes and returns the first element; waits while the queue is empty. */
  public E take() {
    return takeWithin(1, FOREVER_NS).getFirst();
  }

  /**
   * Removes and returns the first element; waits for one until {@code timeout} is over.
   *
   * @throws TimeoutException when none came in time
   */
  public E take(Duration timeout) {
    return takeOrTimeOut(1, timeout).getFirst();
  }

  /** Removes and returns the first element; empty when there is none or others wait for it. */
  public Optional<E> poll() {
    return takeWithin(1, 0).stream().findFirst();
  }

  /**
   * Removes and returns what is there, at most {@code most} elements; waits while the queue is
   * empty.
   *
   * @return at least one element, in order
   * @throws IllegalArgumentException when {@code most} is below 1
   */
  public List<E> takeUpTo(int most) {
    return takeWithin(atLeastOne(most, "the number of elements"), FOREVER_NS);
  }

  /**
   * Removes and returns what is there, at most {@code most} elements; waits for the first until
   * {@code timeout} is over.
   *
   * @return at least one element, in order
   * @throws TimeoutException when none came in time
   */
  public List<E> takeUpTo(int most, Duration timeout) {
    return takeOrTimeOut(atLeastOne(most, "the number of elements"), timeout);
  }

  /** Returns the number of elements, which may have changed when it arrives. */
  public int size() {
    return answer(actor.call(QueueActor::size));
  }

  /** Returns how many elements the queue holds at most. */
  public int capacity() {
    return capacity;
  }

  /** Releases this handle; the queue ends when nobody has one. Idempotent. */
  @Override
  public void close() {
    actor.close();
  }

  private void putOrTimeOut(List<Object> batch, Duration timeout) {
    if (!putWithin(batch, nanos(timeout))) {
      throw new TimeoutException(
          "The queue of " + capacity + " had no room for " + batch.size() + " within " + timeout);
    }
  }

  private boolean putWithin(List<Object> batch, long timeoutNs) {
    return answer(actor.in(PUT).call(QueueActor::put, batch, timeoutNs));
  }

  private List<E> takeOrTimeOut(int most, Duration timeout) {
    List<E> taken = takeWithin(most, nanos(timeout));
    if (taken.isEmpty()) {
      throw new TimeoutException("The queue was empty for " + timeout);
    }
    return taken;
  }

  @SuppressWarnings("unchecked") // only elements of type E are put
  private List<E> takeWithin(int most, long timeoutNs) {
    return (List<E>) answer(actor.in(TAKE).call(QueueActor::take, most, timeoutNs));
  }

  private static List<Object> listOf(Object element) {
    return List.of(Objects.requireNonNull(element, "the element must not be null"));
  }

  private List<Object> batchOf(Collection<? extends E> elements) {
    Objects.requireNonNull(elements, "the elements must not be null");
    if (elements.size() > capacity) {
      throw new IllegalArgumentException(
          "a batch of " + elements.size() + " never fits into a queue of " + capacity);
    }
    for (Object element : elements) {
      Objects.requireNonNull(element, "the element must not be null");
    }
    return List.copyOf(elements);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Queue<?> queue && actor.id().equals(queue.actor.id());
  }

  @Override
  public int hashCode() {
    return actor.id().hashCode();
  }

  @Override
  public String toString() {
    return "Queue[capacity=" + capacity + ", actor=" + actor.id() + "]";
  }
}
