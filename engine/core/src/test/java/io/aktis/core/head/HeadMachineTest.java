package io.aktis.core.head;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.head.HeadEffect.Claim;
import io.aktis.core.head.HeadEffect.Resign;
import io.aktis.core.head.HeadEffect.Serve;
import io.aktis.core.head.HeadEvent.Chosen;
import io.aktis.core.head.HeadEvent.ClaimFailed;
import io.aktis.core.head.HeadEvent.Claimed;
import io.aktis.core.head.HeadEvent.FencedOff;
import io.aktis.core.head.HeadEvent.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a node is the head. */
class HeadMachineTest {
  private final HeadMachine machine = new HeadMachine();
  private long nowMs = 10;

  private List<HeadEffect> tell(HeadEvent event) {
    List<HeadEffect> effects = new ArrayList<>();
    machine.on(event, nowMs, effects::add);
    return effects;
  }

  @Test
  void node_thatIsChosen_servesWhenTheStoreIsItsOwn() {
    assertThat(tell(new Chosen(true))).containsExactly(new Claim(1));
    assertThat(machine.state()).isEqualTo(HeadState.CLAIMING);
    assertThat(tell(new Chosen(true))).isEmpty();
    assertThat(machine.epoch()).isZero();

    assertThat(tell(new Claimed(1, 7))).containsExactly(new Serve(7));

    assertThat(machine.state()).isEqualTo(HeadState.HEAD);
    assertThat(machine.epoch()).isEqualTo(7);
    assertThat(tell(new Claimed(1, 7))).isEmpty();
  }

  @Test
  void claim_thatFails_isTriedAgainInAWhile() {
    tell(new Chosen(true));
    assertThat(tell(new ClaimFailed(1))).isEmpty();

    assertThat(tell(new Tick())).isEmpty();
    nowMs += HeadMachine.RETRY_MS;
    assertThat(tell(new Tick())).containsExactly(new Claim(2));
    assertThat(tell(new Tick())).as("while the answer is out").isEmpty();
    assertThat(tell(new Claimed(2, 3))).containsExactly(new Serve(3));
  }

  @Test
  void head_thatIsNotChosenAnyMore_resigns() {
    tell(new Chosen(true));
    tell(new Claimed(1, 7));

    assertThat(tell(new Chosen(false))).containsExactly(new Resign());

    assertThat(machine.state()).isEqualTo(HeadState.OTHER);
    assertThat(tell(new Chosen(false))).isEmpty();
    assertThat(tell(new Chosen(true))).containsExactly(new Claim(2));
  }

  @Test
  void head_thatIsFencedOff_resignsAndDoesNotClaimAgain() {
    tell(new Chosen(true));
    tell(new Claimed(1, 7));
    assertThat(tell(new FencedOff(6))).as("of an earlier time").isEmpty();

    assertThat(tell(new FencedOff(7))).containsExactly(new Resign());

    assertThat(tell(new FencedOff(7))).isEmpty();
    nowMs += 10 * HeadMachine.RETRY_MS;
    assertThat(tell(new Tick())).isEmpty();
    assertThat(tell(new Chosen(true))).isEmpty();
    assertThat(machine.epoch()).isZero();
    assertThat(tell(new Chosen(false))).as("it has resigned already").isEmpty();
    assertThat(tell(new Chosen(true))).containsExactly(new Claim(2));
  }

  @Test
  void answer_thatComesTooLate_isDropped() {
    tell(new Chosen(true));
    tell(new Chosen(false));
    assertThat(tell(new Claimed(1, 7))).isEmpty();
    assertThat(tell(new Chosen(true))).containsExactly(new Claim(2));
    assertThat(tell(new Claimed(1, 7))).isEmpty();
    assertThat(tell(new ClaimFailed(1))).isEmpty();

    assertThat(tell(new Claimed(2, 8))).containsExactly(new Serve(8));
  }

  /** Two nodes, one store, any order of events: never do both think that they may write. */
  @Test
  void nodes_anyEvents_areNeverTwoHeadsOfOneEpoch() {
    int served = 0;
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      HeadMachine[] nodes = {new HeadMachine(), new HeadMachine()};
      List<List<Long>> claims = List.of(new ArrayList<>(), new ArrayList<>());
      long epoch = 0;
      for (int step = 0; step < 200; step++) {
        int at = random.nextInt(2);
        HeadMachine node = nodes[at];
        HeadEvent event =
            switch (random.nextInt(5)) {
              case 0 -> new Chosen(random.nextBoolean());
              case 1 -> new FencedOff(node.epoch() < epoch ? node.epoch() : 0);
              case 2, 3 ->
                  claims.get(at).isEmpty()
                      ? new Tick()
                      : random.nextBoolean()
                          ? new Claimed(claims.get(at).removeFirst(), ++epoch)
                          : new ClaimFailed(claims.get(at).removeFirst());
              default -> new Tick();
            };
        node.on(
            event,
            step * 300L,
            effect -> {
              if (effect instanceof Claim(long number)) {
                claims.get(at).add(number);
              }
            });
        served += node.state() == HeadState.HEAD ? 1 : 0;
        assertThat(nodes[0].epoch() != 0 && nodes[0].epoch() == nodes[1].epoch())
            .as("seed " + seed)
            .isFalse();
      }
    }
    assertThat(served).isPositive();
  }
}
