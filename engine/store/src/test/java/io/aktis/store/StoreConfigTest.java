package io.aktis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class StoreConfigTest {
  @Test
  void config_ofCapacity_hasTheDefaults() {
    assertThat(StoreConfig.ofCapacity(100)).isEqualTo(new StoreConfig(100, Duration.ofSeconds(30)));
  }

  @Test
  void config_withoutCapacity_isRefused() {
    assertThatThrownBy(() -> StoreConfig.ofCapacity(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> StoreConfig.ofCapacity(StoreConfig.MAX_CAPACITY_BYTES + 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void config_withNegativeTimeout_isRefused() {
    assertThatThrownBy(() -> new StoreConfig(100, Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void config_withEndlessTimeout_isShortenedToAYear() {
    assertThat(new StoreConfig(100, Duration.ofSeconds(Long.MAX_VALUE)).createTimeout())
        .isEqualTo(Duration.ofDays(365));
  }
}
