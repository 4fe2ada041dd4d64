package io.aktis.coordination;

import static io.aktis.coordination.Calls.FOREVER_NS;
import static io.aktis.coordination.Calls.MAX_WAITING;
import static io.aktis.coordination.Calls.answer;
import static io.aktis.coordination.Calls.nanos;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ConcurrencyGroups;
import io.aktis.TimeoutException;
import java.time.Duration;
import java.util.Objects;

/**
 * A signal that many can wait for: once sent, everybody who waits goes on, and everybody who comes
 * later does not wait, until it is reset.
 *
 * <pre>{@code
 * Signal go = Signal.create();
 * var runners = IntStream.range(0, 8).mapToObj(i -> Aktis.run(Runner::run, go, i).remote()).toList();
 * go.send();
 * }</pre>
 *
 * <p>The signal is a small value around an actor and can be passed as an argument. Up to 10,000
 * callers can wait; waiting takes no CPU. All methods are thread-safe. They throw {@link
 * io.aktis.ActorDiedException} when the signal was lost with its node, and {@link
 * IllegalStateException} when this handle was closed.
 */
public final class Signal implements AutoCloseable {
  private static final String AWAIT = "await";

  private final ActorHandle<SignalActor> actor;

  private Signal(ActorHandle<SignalActor> actor) {
    this.actor = actor;
  }

  /** Creates a signal, not sent, in the current session. */
  public static Signal create() {
    return create(Aktis.session());
  }

  /** Creates a signal, not sent, in {@code session}. */
  public static Signal create(AktisSession session) {
    Objects.requireNonNull(session, "the session must not be null");
    return new Signal(
        Calls.create(session.actor(SignalActor::new), ConcurrencyGroups.of(AWAIT, MAX_WAITING)));
  }

  /** Sends the signal; returns when it is sent. Sending it again changes nothing. */
  public void send() {
    answer(actor.run(SignalActor::send));
  }

  /** Takes the signal back, so that callers wait again; returns when that is done. */
  public void reset() {
    answer(actor.run(SignalActor::reset));
  }

  /** Returns whether the signal is sent, which may have changed when the answer arrives. */
  public boolean isSent() {
    return answer(actor.call(SignalActor::isSent));
  }

  /** Waits until the signal is sent. */
  public void await() {
    awaitWithin(FOREVER_NS);
  }

  /**
   * Waits until the signal is sent or {@code timeout} is over; zero only looks.
   *
   * @throws TimeoutException when it was not sent in time
   */
  public void await(Duration timeout) {
    if (!awaitWithin(nanos(timeout))) {
      throw new TimeoutException("The signal was not sent within " + timeout);
    }
  }

  /** Releases this handle; the signal ends when nobody has one. Idempotent. */
  @Override
  public void close() {
    actor.close();
  }

  private boolean awaitWithin(long timeoutNs) {
    return answer(actor.in(AWAIT).call(SignalActor::await, timeoutNs));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Signal signal && actor.id().equals(signal.actor.id());
  }

  @Override
  public int hashCode() {
    return actor.id().hashCode();
  }

  @Override
  public String toString() {
    return "Signal[actor=" + actor.id() + "]";
  }
}
