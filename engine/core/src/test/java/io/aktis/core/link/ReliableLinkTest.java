package io.aktis.core.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Once and in order over a bad network, and restarts that both ends notice. */
class ReliableLinkTest {
  private final LinkWorld world = new LinkWorld(1);

  @Test
  void ends_thatHearEachOther_areUp() {
    world.run(100);
    assertThat(world.a.link.state()).isEqualTo(LinkState.UP);
    assertThat(world.b.link.state()).isEqualTo(LinkState.UP);
    assertThat(world.a.log).containsExactly("up");
  }

  @Test
  void messages_sentBeforeThePeerIsKnown_arriveInOrder() {
    List<String> sent = sendFromA(30);
    world.run(500);
    assertThat(world.b.allDelivered()).isEqualTo(sent);
    assertThat(world.a.link.pending()).isZero();
  }

  @Test
  void messages_overANetworkThatLosesRepeatsAndReorders_arriveOnceAndInOrder() {
    world.faulty(15, 30, 30);
    world.run(500);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.addAll(sendFromA(2));
      world.b.send();
      world.run(20);
    }
    world.faulty(0, 0, 0);
    world.run(2_000);
    assertThat(world.a.log).containsExactly("up");
    assertThat(world.b.allDelivered()).isEqualTo(sent);
    assertThat(world.a.allDelivered()).hasSize(50);
  }

  @Test
  void link_withoutWork_staysUp() {
    world.run(60_000);
    assertThat(world.a.log).containsExactly("up");
    assertThat(world.b.log).containsExactly("up");
  }

  @Test
  void peer_thatRestarts_isNoticedAndNothingOfItsLastLifeIsMixedIn() {
    world.run(100);
    sendFromA(3);
    world.b.start();
    world.run(500);
    assertThat(world.a.log).containsExactly("up", "restarted", "up");
    String after = world.a.send();
    world.run(100);
    assertThat(world.b.allDelivered()).endsWith(after);
    world.b.check();
  }

  @Test
  void firstMessage_thatTheNetworkRepeatsAfterARestart_isNotDeliveredAgain() {
    world.faulty(0, 100, 100);
    String first = world.a.send();
    for (int i = 0; i < 10; i++) {
      world.run(60);
      world.b.start();
    }
    world.run(5_000);
    assertThat(world.b.allDelivered().stream().filter(first::equals).count())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void peer_thatIsSilent_isGivenUpAndSeesARestartWhenItComesBack() {
    world.run(100);
    world.cutToA = true;
    world.cutToB = true;
    world.run(300);
    assertThat(world.a.log).containsExactly("up");
    world.run(300);
    assertThat(world.a.log).containsExactly("up", "lost SILENT");
    world.cutToA = false;
    world.cutToB = false;
    world.run(200);
    assertThat(world.a.log).containsExactly("up", "lost SILENT", "up");
    world.a.send();
    world.b.send();
    world.run(200);
    assertThat(world.a.allDelivered()).hasSize(1);
    assertThat(world.b.allDelivered()).hasSize(1);
  }

  @Test
  void network_thatWorksInOneDirectionOnly_isNoticedByBoth() {
    world.run(100);
    world.cutToA = true;
    world.run(450);
    assertThat(world.a.log).endsWith("lost SILENT");
    world.run(100);
    assertThat(world.b.log).contains("restarted");
    world.b.send();
    world.run(600);
    assertThat(world.b.log).contains("lost SILENT");
  }

  @Test
  void messages_forAPeerThatNeverComes_areReportedAsLost() {
    world.cutToB = true;
    world.cutToA = true;
    world.a.send();
    world.run(1_000);
    assertThat(world.a.log).containsExactly("lost SILENT");
    world.run(10_000);
    assertThat(world.a.log).hasSize(1);
  }

  @Test
  void peer_thatIsDeclaredGone_isGivenUpByBothSides() {
    world.run(100);
    world.a.down();
    assertThat(world.a.log).containsExactly("up", "lost DECLARED");
    world.run(200);
    assertThat(world.b.log).containsExactly("up", "restarted", "up");
    world.a.down();
    assertThat(world.a.log).endsWith("up", "lost DECLARED");
  }

  @Test
  void queue_thatOverflows_isTheEndOfThePeer() {
    world.run(100);
    world.cutToB = true;
    sendFromA(LinkWorld.LIMITS.window() + LinkWorld.LIMITS.maxQueued());
    assertThat(world.a.log).containsExactly("up");
    world.a.send();
    assertThat(world.a.log).containsExactly("up", "lost OVERFLOW");
    assertThat(world.a.link.pending()).isZero();
  }

  @Test
  void window_boundsWhatIsUnderWay() {
    world.run(100);
    List<LinkEffect<String>> effects = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      world.a.link.on(new LinkEvent.Send<>("m" + i, world.nowMs), effects::add);
      world.a.link.validate();
    }
    assertThat(effects).hasSize(LinkWorld.LIMITS.window());
  }

  @Test
  void ends_thatGiveEachOtherUpAtOnce_meetAgain() {
    world.run(100);
    world.a.down();
    world.b.down();
    world.run(500);
    assertThat(world.a.link.state()).isEqualTo(LinkState.UP);
    assertThat(world.b.link.state()).isEqualTo(LinkState.UP);
    world.a.send();
    world.run(100);
    assertThat(world.b.allDelivered()).hasSize(1);
  }

  @Test
  void limits_thatContradict_areRefused() {
    assertThatThrownBy(() -> new LinkLimits(50, 10, 100, 1_000, 8, 8))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LinkLimits(50, 100, 100, 300, 8, 8))
        .hasMessageContaining("4 * heartbeatMs");
  }

  @Test
  void pair_afterAnyFaultsAndRestarts_deliversOnceAndInOrderAndMeetsAgain() {
    for (long seed = 0; seed < 400; seed++) {
      try {
        anyFaults(seed);
      } catch (Throwable e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static void anyFaults(long seed) {
    Random random = new Random(seed);
    LinkWorld world = new LinkWorld(seed);
    for (int step = 0; step < 60; step++) {
      LinkWorld.End end = random.nextBoolean() ? world.a : world.b;
      switch (random.nextInt(10)) {
        case 0 -> world.faulty(random.nextInt(60), random.nextInt(60), random.nextInt(60));
        case 1 -> world.cutToA = random.nextInt(3) == 0;
        case 2 -> world.cutToB = random.nextInt(3) == 0;
        case 3 -> {
          if (random.nextBoolean()) {
            end.start();
          } else {
            end.down();
          }
        }
        default -> {
          for (int i = random.nextInt(12); i >= 0; i--) {
            end.send();
          }
        }
      }
      world.run(random.nextInt(200));
    }
    world.a.check();
    world.b.check();
    world.faulty(0, 0, 0);
    world.cutToA = false;
    world.cutToB = false;
    world.run(2_000);
    String last = world.a.send();
    world.run(500);
    assertThat(world.b.allDelivered()).contains(last);
    assertThat(world.a.link.pending() + world.b.link.pending()).isZero();
  }

  private List<String> sendFromA(int count) {
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(world.a.send());
    }
    return sent;
  }
}
