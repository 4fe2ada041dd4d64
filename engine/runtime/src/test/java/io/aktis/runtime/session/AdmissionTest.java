package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.owner.TaskKind;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AdmissionTest {
  @Test
  void enter_beyondTheLimit_isRefusedUntilSomethingIsDone() {
    Admission admission = new Admission(3);
    assertThat(enterAll(admission)).isEqualTo(3);

    see(admission, 3);
    admission.makeRoom();
    assertThat(admission.tryEnter()).isFalse();

    admission.done(TaskKind.TASK);
    admission.makeRoom();
    assertThat(enterAll(admission)).isEqualTo(1);
  }

  @Test
  void enter_whatTheLoopHasNotSeen_isBoundedToo() {
    Admission admission = new Admission(1_000_000);
    int unseen = enterAll(admission);
    assertThat(unseen).isBetween(1_000, 10_000);

    see(admission, unseen);
    admission.makeRoom();
    assertThat(enterAll(admission)).isEqualTo(unseen);
  }

  @Test
  void makeRoom_forLittle_waitsUntilItIsWorthTheWhile() {
    Admission admission = new Admission(1_000_000);
    int unseen = enterAll(admission);
    see(admission, 1);
    admission.makeRoom();
    assertThat(admission.tryEnter()).isFalse();

    see(admission, unseen / 2);
    admission.makeRoom();
    assertThat(enterAll(admission)).isEqualTo(unseen / 2 + 1);
  }

  @Test
  void creation_ofAnActor_needsNoRoom() {
    Admission admission = new Admission(1);
    assertThat(Admission.isHeldBack(TaskKind.CREATION)).isFalse();
    admission.seen(TaskKind.CREATION);
    admission.done(TaskKind.CREATION);
    admission.makeRoom();
    assertThat(enterAll(admission)).isEqualTo(1);
  }

  @Test
  void enter_forATime_comesBackWithoutRoom() throws InterruptedException {
    Admission admission = new Admission(1);
    admission.enter();
    assertThat(admission.tryEnter(1)).isFalse();
  }

  @Test
  void anything_inAnyOrder_neverLetsInMoreThanMayBePending() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int max = 1 + random.nextInt(200);
      Admission admission = new Admission(max);
      int inside = 0;
      int unseen = 0;
      for (int step = 0; step < 500; step++) {
        switch (random.nextInt(4)) {
          case 0 -> {
            if (admission.tryEnter()) {
              inside++;
              unseen++;
            }
          }
          case 1 -> {
            see(admission, unseen);
            unseen = 0;
          }
          case 2 -> {
            if (inside > unseen) {
              admission.done(TaskKind.TASK);
              inside--;
            }
          }
          default -> admission.makeRoom();
        }
        assertThat(inside).as("seed %s step %s", seed, step).isLessThanOrEqualTo(max);
      }
      see(admission, unseen);
      for (; inside > 0; inside--) {
        admission.done(TaskKind.TASK);
      }
      assertThat(enterAllAsTheLoopSees(admission)).as("seed %s", seed).isEqualTo(max);
    }
  }

  private static int enterAllAsTheLoopSees(Admission admission) {
    int all = 0;
    int entered;
    do {
      admission.makeRoom();
      entered = enterAll(admission);
      see(admission, entered);
      all += entered;
    } while (entered > 0);
    return all;
  }

  private static int enterAll(Admission admission) {
    int entered = 0;
    while (admission.tryEnter()) {
      entered++;
    }
    return entered;
  }

  private static void see(Admission admission, int count) {
    for (int i = 0; i < count; i++) {
      admission.seen(TaskKind.TASK);
    }
  }
}
