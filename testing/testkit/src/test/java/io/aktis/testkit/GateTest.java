package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {
  private final Gate gate = Gate.closed();
  private final Notes notes = Notes.empty();

  @AfterEach
  void releaseAll() {
    SignalBoard.current().releaseAll();
  }

  @Test
  void pass_closedGate_waitsUntilACopyOfItIsOpened() throws InterruptedException {
    Thread passer = Thread.startVirtualThread(this::passAndNote);
    gate.awaitArrivals(1);
    assertThat(notes.lines()).isEmpty();

    new Gate(gate.id()).open();

    passer.join();
    assertThat(new Notes(notes.id()).lines()).containsExactly("passed");
    assertThat(gate.arrivals()).isEqualTo(1);
  }

  @Test
  void pass_interrupted_ends() throws InterruptedException {
    Thread passer = Thread.startVirtualThread(this::passAndNote);
    gate.awaitArrivals(1);

    passer.interrupt();

    passer.join();
    assertThat(notes.lines()).containsExactly("interrupted");
  }

  @Test
  void passStubbornly_interrupted_goesOnWaiting() throws InterruptedException {
    Thread passer = Thread.startVirtualThread(gate::passStubbornly);
    gate.awaitArrivals(1);

    passer.interrupt();

    assertThat(passer.join(Duration.ofMillis(20))).isFalse();
    gate.open();
    passer.join();
  }

  @Test
  void gates_two_areApart() throws InterruptedException {
    gate.open();
    gate.pass();

    assertThat(Gate.closed().arrivals()).isZero();
    assertThat(Gate.closed()).isNotEqualTo(gate);
  }

  @Test
  void releaseAll_gatesOfATestThatIsOver_areOpenForLatecomers() throws InterruptedException {
    SignalBoard.current().releaseAll();

    gate.pass();

    assertThat(gate.arrivals()).isZero();
  }

  private void passAndNote() {
    try {
      gate.pass();
      notes.add("passed");
    } catch (InterruptedException e) {
      notes.add("interrupted");
    }
  }
}
