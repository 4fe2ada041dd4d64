package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Numbers out of ranges. */
class IdSourceTest {
  @Test
  void next_rangeByRange_givesEachNumberOnceAndAsksInTime() {
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<IdSource> source = new AtomicReference<>();
    source.set(new IdSource(5, () -> source.get().add(100L * asked.incrementAndGet(), 10)));

    Set<Long> given = new HashSet<>();
    for (int i = 0; i < 25; i++) {
      given.add(source.get().next().sequence());
    }

    assertThat(given).hasSize(25).contains(100L, 109L, 200L, 300L);
    assertThat(asked.get()).isEqualTo(3);
  }

  @Test
  void next_manyThreads_givesEachNumberOnce() {
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<IdSource> source = new AtomicReference<>();
    source.set(new IdSource(5, () -> source.get().add(1_000L * asked.incrementAndGet(), 100)));
    Set<Long> given = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 10_000).parallel().forEach(i -> given.add(source.get().next().sequence()));

    assertThat(given).hasSize(10_000);
  }
}
