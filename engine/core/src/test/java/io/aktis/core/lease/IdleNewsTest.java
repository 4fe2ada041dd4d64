package io.aktis.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.LeaseId;
import org.junit.jupiter.api.Test;

final class IdleNewsTest {
  private static final LeaseId FIRST = new LeaseId(7, 1);
  private static final LeaseId SECOND = new LeaseId(7, 2);

  private final IdleNews news = new IdleNews();

  @Test
  void idle_firstOfSome_startsTheTicks() {
    assertThat(news.idle(FIRST)).isTrue();
    assertThat(news.idle(SECOND)).isFalse();
    assertThat(news.isTicking()).isTrue();
  }

  @Test
  void notIdle_beforeItWasTold_isNothingToTell() {
    news.idle(FIRST);
    assertThat(news.notIdle(FIRST)).isFalse();
    assertThat(news.take()).isEmpty();
  }

  @Test
  void notIdle_afterItWasTold_hasToBeTold() {
    news.idle(FIRST);
    assertThat(news.take()).containsExactly(FIRST);
    assertThat(news.notIdle(FIRST)).isTrue();
  }

  @Test
  void tick_leaseThatLiesIdleForAWholeTurn_isTold() {
    news.idle(FIRST);
    assertThat(news.tick()).isEmpty();
    news.idle(SECOND);
    assertThat(news.tick()).containsExactly(FIRST);
    assertThat(news.tick()).containsExactly(SECOND);
    assertThat(news.isTicking()).isFalse();
    assertThat(news.idle(FIRST)).isTrue();
  }

  @Test
  void tick_leaseWithWorkBetween_isNotTold() {
    news.idle(FIRST);
    news.tick();
    news.notIdle(FIRST);
    news.idle(FIRST);
    assertThat(news.tick()).isEmpty();
    assertThat(news.isTicking()).isTrue();
  }

  @Test
  void tick_nothingIdleAnyMore_endsTheTicks() {
    news.idle(FIRST);
    news.notIdle(FIRST);
    assertThat(news.tick()).isEmpty();
    assertThat(news.isTicking()).isFalse();
  }

  @Test
  void take_thoseOfBothTurns_areToldInTheirOrder() {
    news.idle(FIRST);
    news.tick();
    news.idle(SECOND);
    assertThat(news.take()).containsExactly(FIRST, SECOND);
    assertThat(news.tick()).isEmpty();
  }
}
