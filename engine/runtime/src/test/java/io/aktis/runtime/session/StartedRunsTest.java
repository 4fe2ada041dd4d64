package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What had started in a process that is dead. */
class StartedRunsTest {
  @Test
  void mayInclude_nothingIsKnown_anything() {
    assertThat(StartedRuns.UNKNOWN.mayInclude(1)).isTrue();
  }

  @Test
  void mayInclude_inTheRing_whatIsNoted() {
    StartedRuns runs = StartedRuns.of(List.of(1L, 3L));

    assertThat(runs.mayInclude(1)).isTrue();
    assertThat(runs.mayInclude(2)).isFalse();
    assertThat(runs.mayInclude(3)).isTrue();
    assertThat(runs.mayInclude(4)).isFalse();
  }

  @Test
  void mayInclude_emptyRing_nothing() {
    assertThat(StartedRuns.of(List.of()).mayInclude(1)).isFalse();
  }

  @Test
  void mayInclude_soOldThatItMayBeOverwritten_it() {
    long latest = 3 * StartedRuns.RING;
    StartedRuns runs = StartedRuns.of(List.of(latest));

    assertThat(runs.mayInclude(latest - StartedRuns.RING)).isTrue();
    assertThat(runs.mayInclude(latest - StartedRuns.RING + 1)).isFalse();
  }
}
