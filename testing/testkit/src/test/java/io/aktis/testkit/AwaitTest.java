package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
  @Test
  void until_conditionThatComesTrue_returns() {
    AtomicInteger looks = new AtomicInteger();

    Await.until("the fifth look", () -> looks.incrementAndGet() == 5);

    assertThat(looks).hasValue(5);
  }

  @Test
  void until_conditionThatStaysFalse_failsWithTheState() {
    assertThatThrownBy(
            () -> Await.until("rain", Duration.ofMillis(20), () -> false, () -> "The sun shines."))
        .isInstanceOf(AssertionError.class)
        .hasMessage("Waited 20 ms in vain for: rain. The sun shines.");
  }
}
