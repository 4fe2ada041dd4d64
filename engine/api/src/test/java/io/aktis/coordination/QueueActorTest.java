package io.aktis.coordination;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class QueueActorTest {
  private static final long FOREVER_NS = Long.MAX_VALUE;

  private final QueueActor queue = new QueueActor(3);

  @Test
  void elements_putInOrder_areTakenInOrder() throws Exception {
    queue.put(List.of("a", "b"), 0);
    queue.put(List.of("c"), 0);

    assertThat(queue.take(2, 0)).containsExactly("a", "b");
    assertThat(queue.take(2, 0)).containsExactly("c");
    assertThat(queue.size()).isZero();
  }

  @Test
  void batch_withoutRoomForAll_putsNothing() throws Exception {
    queue.put(List.of("a", "b"), 0);

    assertThat(queue.put(List.of("c", "d"), 0)).isFalse();
    assertThat(queue.put(List.of("c", "d"), MILLISECONDS.toNanos(5))).isFalse();
    assertThat(queue.size()).isEqualTo(2);
  }

  @Test
  void taker_ofAnEmptyQueue_waitsForTheNextPut() throws Exception {
    Waiter<List<Object>> taker = Waiter.start(() -> queue.take(5, FOREVER_NS));

    queue.put(List.of("a"), 0);

    assertThat(taker.result()).containsExactly("a");
  }

  @Test
  void taker_whoseTimeIsOver_getsNothing() throws Exception {
    assertThat(queue.take(1, MILLISECONDS.toNanos(5))).isEmpty();
  }

  @Test
  void putter_ofAFullQueue_waitsForTheNextTake() throws Exception {
    queue.put(List.of("a", "b", "c"), 0);
    Waiter<Boolean> putter = Waiter.start(() -> queue.put(List.of("d"), FOREVER_NS));

    assertThat(queue.take(1, 0)).containsExactly("a");

    assertThat(putter.result()).isTrue();
    assertThat(queue.take(9, 0)).containsExactly("b", "c", "d");
  }

  @Test
  void largeBatch_thatWaits_isNotOvertakenBySmallOnes() throws Exception {
    queue.put(List.of("a", "b"), 0);
    Waiter<Boolean> large = Waiter.start(() -> queue.put(List.of("c", "d", "e"), FOREVER_NS));

    assertThat(queue.put(List.of("x"), 0)).as("there is room, but others wait").isFalse();
    Waiter<Boolean> small = Waiter.start(() -> queue.put(List.of("x"), FOREVER_NS));
    assertThat(queue.take(2, 0)).containsExactly("a", "b");

    assertThat(large.result()).isTrue();
    assertThat(queue.take(1, 0)).containsExactly("c");
    assertThat(small.result()).isTrue();
    assertThat(queue.take(9, 0)).containsExactly("d", "e", "x");
  }

  @Test
  void takers_thatWait_areServedInTheOrderTheyCame() throws Exception {
    Waiter<List<Object>> first = Waiter.start(() -> queue.take(1, FOREVER_NS));
    Waiter<List<Object>> second = Waiter.start(() -> queue.take(1, FOREVER_NS));

    queue.put(List.of("a", "b"), 0);

    assertThat(first.result()).containsExactly("a");
    assertThat(second.result()).containsExactly("b");
  }

  @Test
  void taker_thatIsInterrupted_leavesTheLineToTheNext() throws Exception {
    Waiter<List<Object>> first = Waiter.start(() -> queue.take(1, FOREVER_NS));
    Waiter<List<Object>> second = Waiter.start(() -> queue.take(1, FOREVER_NS));

    first.interrupt();
    queue.put(List.of("a"), 0);

    assertThatThrownBy(first::result)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(second.result()).containsExactly("a");
  }
}
