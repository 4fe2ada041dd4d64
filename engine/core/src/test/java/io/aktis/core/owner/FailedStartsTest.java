package io.aktis.core.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.NodeId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailedStartsTest {
  private static final ProcessNeeds SHARED = ProcessNeeds.SHARED;
  private static final ProcessNeeds OWN =
      new ProcessNeeds(true, List.of("-Xmx1t"), Collections.emptySortedMap(), List.of(), "");

  private final FailedStarts starts = new FailedStarts();

  private static NodeId node(int number) {
    return new NodeId(7, number);
  }

  @Test
  void node_thatFailed_isAvoidedForWorkOfThatKindForAWhile() {
    starts.failed(OWN, node(1), "no memory", 1_000);

    assertThat(starts.avoided(OWN, 1_000)).containsExactly(node(1));
    assertThat(starts.avoided(SHARED, 1_000)).isEmpty();
    assertThat(starts.avoided(OWN, 1_000 + FailedStarts.AVOID_MS - 1)).containsExactly(node(1));
    assertThat(starts.avoided(OWN, 1_000 + FailedStarts.AVOID_MS)).isEmpty();
  }

  @Test
  void node_thatFailsAgain_isAvoidedAnew() {
    starts.failed(SHARED, node(1), "no disk", 0);
    starts.failed(SHARED, node(1), "no disk", FailedStarts.AVOID_MS - 1);

    assertThat(starts.avoided(SHARED, FailedStarts.AVOID_MS)).containsExactly(node(1));
    assertThat(starts.isHopeless(SHARED, FailedStarts.AVOID_MS)).isFalse();
  }

  @Test
  void node_thatHasMadeOne_isAskedAgain() {
    starts.failed(SHARED, node(1), "no disk", 0);
    starts.made(SHARED, node(1));

    assertThat(starts.avoided(SHARED, 0)).isEmpty();
  }

  @Test
  void work_thatThreeNodesCannotStart_isHopelessAndBeginsAnew() {
    for (int number = 1; number <= FailedStarts.MAX_NODES; number++) {
      assertThat(starts.isHopeless(OWN, number)).isFalse();
      starts.failed(OWN, node(number), "reason " + number, number);
    }

    assertThat(starts.isHopeless(OWN, 10)).isTrue();
    assertThat(starts.giveUp(OWN)).containsExactly("reason 1", "reason 2", "reason 3");
    assertThat(starts.avoided(OWN, 10)).isEmpty();
    assertThat(starts.giveUp(OWN)).isEmpty();
  }
}
