package io.aktis.coordination;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class SemaphoreActorTest {
  private static final long FOREVER_NS = Long.MAX_VALUE;

  private final SemaphoreActor semaphore = new SemaphoreActor(3);

  @Test
  void permits_takenAndGivenBack_addUp() throws Exception {
    assertThat(semaphore.acquire(2, 0)).isTrue();
    assertThat(semaphore.available()).isEqualTo(1);
    assertThat(semaphore.acquire(2, 0)).isFalse();
    assertThat(semaphore.release(2)).isTrue();
    assertThat(semaphore.available()).isEqualTo(3);
  }

  @Test
  void release_ofMoreThanWereTaken_isRefused() throws Exception {
    semaphore.acquire(1, 0);

    assertThat(semaphore.release(2)).isFalse();
    assertThat(semaphore.available()).isEqualTo(2);
  }

  @Test
  void acquire_whoseTimeIsOver_takesNothing() throws Exception {
    semaphore.acquire(2, 0);

    assertThat(semaphore.acquire(2, MILLISECONDS.toNanos(5))).isFalse();
    assertThat(semaphore.available()).isEqualTo(1);
  }

  @Test
  void acquireOfMany_thatWaits_isNotOvertakenByOneOfFew() throws Exception {
    semaphore.acquire(2, 0);
    Waiter<Boolean> many = Waiter.start(() -> semaphore.acquire(3, FOREVER_NS));

    assertThat(semaphore.acquire(1, 0)).as("one is free, but another waits for it").isFalse();
    semaphore.release(2);

    assertThat(many.result()).isTrue();
    assertThat(semaphore.available()).isZero();
  }

  @Test
  void acquire_thatIsInterrupted_letsTheNextGoOn() throws Exception {
    semaphore.acquire(1, 0);
    Waiter<Boolean> many = Waiter.start(() -> semaphore.acquire(3, FOREVER_NS));
    Waiter<Boolean> few = Waiter.start(() -> semaphore.acquire(2, FOREVER_NS));

    many.interrupt();

    assertThat(few.result()).isTrue();
  }
}
