package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.session.StorePlan.Place;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StorePlanTest {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;
  private static final Path SHARED = Path.of("/dev/shm");
  private static final Path OWN = Path.of("/tmp/node");
  private static final Place DISK = new Place(OWN, "", 100 * GIB);

  private static Place shared(long roomBytes) {
    return new Place(SHARED, "", roomBytes);
  }

  @Test
  void store_byDefault_isThreeTenthsOfTheMemoryInSharedMemory() {
    StorePlan plan = StorePlan.in(shared(50 * GIB), DISK, null, 100 * GIB);

    assertThat(plan).isEqualTo(new StorePlan(SHARED, 30 * GIB, ""));
  }

  @Test
  void store_byDefault_leavesSomeOfTheRoom() {
    StorePlan plan = StorePlan.in(shared(10 * GIB), DISK, null, 100 * GIB);

    assertThat(plan.parent()).isEqualTo(SHARED);
    assertThat(plan.bytes()).isEqualTo(10 * GIB / 100 * 95);
    assertThat(plan.note()).isEmpty();
  }

  @Test
  void store_whereSharedMemoryIsSmall_isAFileOfTheNode() {
    StorePlan plan = StorePlan.in(shared(64 * MIB), DISK, null, 100 * GIB);

    assertThat(plan.parent()).isEqualTo(OWN);
    assertThat(plan.bytes()).isEqualTo(30 * GIB);
    assertThat(plan.note())
        .contains("/dev/shm has only 64 MiB free", "/tmp/node", "--shm-size", "--store-dir")
        .hasLineCount(1);
  }

  @Test
  void store_ofASmallMachine_isInSharedMemoryAllTheSame() {
    StorePlan plan = StorePlan.in(shared(100 * MIB), DISK, null, 200 * MIB);

    assertThat(plan).isEqualTo(new StorePlan(SHARED, StorePlan.LEAST_BYTES, ""));
  }

  @Test
  void store_whereSharedMemoryIsOdd_isAFileOfTheNodeAndSaysWhy() {
    Place odd = new Place(SHARED, "is not in memory but on ext4", 50 * GIB);

    StorePlan plan = StorePlan.in(odd, DISK, null, 100 * GIB);

    assertThat(plan.parent()).isEqualTo(OWN);
    assertThat(plan.note()).startsWith("/dev/shm is not in memory but on ext4, so ");
  }

  @Test
  void store_ofAChosenSize_isWhereItHasRoom() {
    assertThat(StorePlan.in(shared(2 * GIB), DISK, 2 * GIB, GIB))
        .isEqualTo(new StorePlan(SHARED, 2 * GIB, ""));
    assertThat(StorePlan.in(shared(2 * GIB), DISK, 3 * GIB, GIB))
        .satisfies(plan -> assertThat(plan.parent()).isEqualTo(OWN))
        .satisfies(plan -> assertThat(plan.bytes()).isEqualTo(3 * GIB))
        .satisfies(plan -> assertThat(plan.note()).contains("has only 2,048 MiB free"));
  }

  @Test
  void store_thatHasNoRoomAnywhere_isRefused() {
    Place full = new Place(OWN, "", 100 * MIB);

    assertThatThrownBy(() -> StorePlan.in(shared(2 * GIB), full, 3 * GIB, GIB))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("3,072 MiB has no room in /tmp/node, where 100 MiB are free");
  }

  @Test
  void store_atANamedPlace_isThereOrRefused() {
    assertThat(StorePlan.at(DISK, null, 10 * GIB)).isEqualTo(new StorePlan(OWN, 3 * GIB, ""));
    assertThatThrownBy(() -> StorePlan.at(shared(GIB), 2 * GIB, 10 * GIB))
        .hasMessageContaining("--object-store-memory");
  }

  @Test
  void place_thatIsNotThereOrNotInMemory_hasAProblem(@TempDir Path folder) {
    assertThat(Place.ofSharedMemory(folder.resolve("none")).problem()).isEqualTo("does not exist");
    assertThat(Place.of(folder).roomBytes()).isPositive();
  }
}
