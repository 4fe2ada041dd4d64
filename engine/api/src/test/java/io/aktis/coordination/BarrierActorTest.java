package io.aktis.coordination;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.coordination.BarrierActor.Arrival;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class BarrierActorTest {
  private static final long FOREVER_NS = Long.MAX_VALUE;

  private final BarrierActor barrier = new BarrierActor(2);

  @Test
  void parties_whenAllCame_goOnRoundAfterRound() throws Exception {
    for (int round = 0; round < 3; round++) {
      Waiter<Arrival> first = Waiter.start(() -> barrier.await(FOREVER_NS));
      assertThat(barrier.waiting()).isEqualTo(1);

      assertThat(barrier.await(0)).isEqualTo(Arrival.LAST);
      assertThat(first.result()).isEqualTo(Arrival.WAITED);
      assertThat(barrier.waiting()).isZero();
    }
  }

  @Test
  void party_whoseTimeIsOver_takesItsArrivalBack() throws Exception {
    assertThat(barrier.await(MILLISECONDS.toNanos(5))).isEqualTo(Arrival.TIMED_OUT);
    assertThat(barrier.waiting()).isZero();
    assertThat(barrier.await(0)).isEqualTo(Arrival.TIMED_OUT);
  }

  @Test
  void party_thatIsInterrupted_takesItsArrivalBack() throws Exception {
    Waiter<Arrival> first = Waiter.start(() -> barrier.await(FOREVER_NS));

    first.interrupt();

    assertThat(barrier.waiting()).isZero();
  }

  @Test
  void barrier_ofOne_neverWaits() throws Exception {
    assertThat(new BarrierActor(1).await(0)).isEqualTo(Arrival.LAST);
  }
}
