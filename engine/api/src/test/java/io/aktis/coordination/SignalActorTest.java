package io.aktis.coordination;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
final class SignalActorTest {
  private static final long FOREVER_NS = Long.MAX_VALUE;

  private final SignalActor signal = new SignalActor();

  @Test
  void await_beforeAndAfterTheSend_goesOn() throws Exception {
    Waiter<Boolean> early = Waiter.start(() -> signal.await(FOREVER_NS));

    signal.send();

    assertThat(early.result()).isTrue();
    assertThat(signal.await(0)).isTrue();
    assertThat(signal.isSent()).isTrue();
  }

  @Test
  void await_whoseTimeIsOver_saysSo() throws Exception {
    assertThat(signal.await(MILLISECONDS.toNanos(5))).isFalse();
  }

  @Test
  void await_afterAReset_waitsAgain() throws Exception {
    signal.send();
    signal.reset();

    assertThat(signal.await(0)).isFalse();
    assertThat(signal.isSent()).isFalse();
  }

  @Test
  void await_whenSendIsFollowedByReset_goesOnAllTheSame() throws Exception {
    Waiter<Boolean> early = Waiter.start(() -> signal.await(FOREVER_NS));

    signal.send();
    signal.reset();

    assertThat(early.result()).isTrue();
  }
}
