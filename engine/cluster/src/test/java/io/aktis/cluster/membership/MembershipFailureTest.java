package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.rpc.HostPort;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes in processes of their own that are stopped and killed. Slow: waits for heartbeats. */
final class MembershipFailureTest {
  private static final long START_MS = 30_000;
  private static final long GONE_MS = 20_000;

  @Test
  void nodes_pausedOrKilled_areGoneOnlyWhenKilledOrPausedForLong() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      Recorder recorder = Recorder.of(head);
      assertThat(recorder.next(0)).contains("candidate=true");
      try (NodeProcess paused = startOne(head, 1, recorder)) {
        try (NodeProcess killed = startOne(head, 2, recorder)) {
          killed.signal("STOP");
          assertThat(recorder.next(5_000)).as("in a short pause").isEqualTo("nothing");
          killed.signal("CONT");
          assertThat(recorder.next(2_000)).as("after the pause").isEqualTo("nothing");
        }
        paused.signal("STOP");

        // Which is noticed first depends on when each was heard of last.
        assertThat(List.of(recorder.next(GONE_MS), recorder.next(GONE_MS)))
            .allMatch(line -> line.startsWith("gone "))
            .anyMatch(line -> line.contains(":20001"))
            .anyMatch(line -> line.contains(":20002"));
        assertThat(head.members()).as("the head alone is left").hasSize(1);
        paused.signal("CONT");
        assertThat(paused.exitCode(GONE_MS)).isEqualTo(NodeMain.DOWNED);
        assertThat(recorder.heard()).isEmpty();
      }
    }
  }

  private static NodeProcess startOne(PekkoMembership head, int number, Recorder recorder)
      throws Exception {
    NodeProcess node = NodeProcess.joining(head, number);
    assertThat(node.nextLine(START_MS)).startsWith("up ");
    assertThat(recorder.next(START_MS)).startsWith("up ").contains(":2000" + number);
    return node;
  }

  @Test
  void node_killedAndStartedAgainAtItsPort_takesThePlaceOfItsEarlierLife() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      Recorder recorder = Recorder.of(head);
      assertThat(recorder.next(0)).contains("candidate=true");
      String address;
      try (NodeProcess killed = NodeProcess.joining(head, 3)) {
        address = killed.nextLine(START_MS).substring("up ".length());
        assertThat(recorder.next(START_MS)).startsWith("up ").contains(":20003");
      }
      Nodes.Config again = Nodes.Config.joining(head);
      again.controlPort = HostPort.parse("a port", address).port();
      MembershipConfig config = again.make();
      PekkoMembership later = nodes.start(config);

      assertThat(recorder.next(5_000)).startsWith("gone ").contains(":20003");
      assertThat(recorder.next(5_000)).isEqualTo(Recorder.upOf(config.self()));
      assertThat(later.members()).hasSize(2);
    }
  }
}
