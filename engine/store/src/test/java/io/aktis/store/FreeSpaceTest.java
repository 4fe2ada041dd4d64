package io.aktis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.invariant.BrokenInvariantError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FreeSpaceTest {
  private final FreeSpace space = new FreeSpace(1000);

  @AfterEach
  void invariantsHold() {
    space.checkInvariants();
  }

  @Test
  void take_fromFreshRange_startsAtZero() {
    assertThat(space.take(100)).hasToString("used [0, 100)");
    assertThat(space.take(100)).hasToString("used [100, 200)");
    assertThat(space.largestFreeBytes()).isEqualTo(800);
  }

  @Test
  void take_ofWholeRange_leavesNothing() {
    assertThat(space.take(1000)).hasToString("used [0, 1000)");
    assertThat(space.largestFreeBytes()).isZero();
    assertThat(space.take(1)).isNull();
  }

  @Test
  void take_withHoleAndUntouchedEnd_prefersTightestHole() {
    Extent wide = space.take(200);
    space.take(10);
    Extent tight = space.take(100);
    space.take(10);
    space.giveBack(wide);
    space.giveBack(tight);

    assertThat(space.take(90)).hasToString("used [210, 300)");
    assertThat(space.take(90)).hasToString("used [0, 90)");
  }

  @Test
  void take_ofEqualHoles_prefersLowest() {
    Extent low = space.take(100);
    space.take(10);
    Extent high = space.take(100);
    space.take(10);
    space.giveBack(high);
    space.giveBack(low);

    assertThat(space.take(100)).hasToString("used [0, 100)");
  }

  @Test
  void giveBack_betweenFreeNeighbours_makesOneHole() {
    Extent a = space.take(100);
    Extent b = space.take(100);
    Extent c = space.take(100);
    space.take(10);
    space.giveBack(a);
    space.giveBack(c);
    space.giveBack(b);

    assertThat(space.take(300)).hasToString("used [0, 300)");
  }

  @Test
  void giveBack_ofAll_makesTheRangeWholeAgain() {
    Extent a = space.take(400);
    Extent b = space.take(600);
    space.giveBack(a);
    space.giveBack(b);

    assertThat(space.largestFreeBytes()).isEqualTo(1000);
  }

  @Test
  void giveBack_twice_breaksAnInvariant() {
    Extent a = space.take(100);
    space.giveBack(a);

    assertThatThrownBy(() -> space.giveBack(a)).isInstanceOf(BrokenInvariantError.class);
  }
}
