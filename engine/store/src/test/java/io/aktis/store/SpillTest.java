package io.aktis.store;

import static io.aktis.store.Stores.MIB;
import static io.aktis.store.Stores.id;
import static io.aktis.store.Stores.put;
import static io.aktis.store.Stores.result;
import static io.aktis.store.Stores.start;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aktis.core.id.ObjectId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with a place on disk. */
final class SpillTest {
  @TempDir Path temp;

  private final List<ObjectStore> opened = new ArrayList<>();

  private ObjectStore open(long capacityBytes, long quotaBytes) throws IOException {
    return open(capacityBytes, quotaBytes, temp.resolve("spill"));
  }

  private ObjectStore open(long capacityBytes, long quotaBytes, Path directory) throws IOException {
    return open(capacityBytes, quotaBytes, directory, () -> {});
  }

  private ObjectStore open(long capacityBytes, long quotaBytes, Path directory, Runnable onPressure)
      throws IOException {
    ObjectStore store =
        ObjectStore.open(
            new StoreConfig(capacityBytes, Duration.ofSeconds(20)),
            onPressure,
            temp.resolve("memory"),
            new SpillConfig(directory, quotaBytes));
    opened.add(store);
    return store;
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    opened.forEach(ObjectStore::close);
    try (Stream<Path> left = Files.walk(temp)) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
    assertThat(temp.resolve("spill")).doesNotExist();
  }

  private long spillFiles() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("spill"))) {
      return files.count();
    }
  }

  private static void check(ObjectStore store, int number, long sizeBytes) {
    try (Pin pin = store.pin(id(number))) {
      assertThat(pin).as("object %s", number).isNotNull();
      assertThat(pin.sizeBytes()).isEqualTo(sizeBytes);
      Contents.check(pin.segment(), number);
    }
  }

  @Test
  void create_inAFullStore_spillsWhatIsUnusedForLongest() throws IOException {
    ObjectStore store = open(10 * MIB, 100 * MIB);
    for (int i = 0; i < 10; i++) {
      put(store, i, MIB, i);
    }
    check(store, 0, MIB);
    put(store, 10, MIB, 10);

    assertThat(store.tryPin(id(1))).isNull();
    try (Pin pin = store.tryPin(id(10))) {
      assertThat(pin).isNotNull();
    }
    assertThat(store.stats().spilledObjects()).isPositive();
    assertThat(store.stats().sealedObjects()).isEqualTo(11);
    for (int i = 0; i < 11; i++) {
      check(store, i, MIB);
    }
  }

  @Test
  void create_inAStoreFullOfGarbage_writesNoneOfItToDisk() throws IOException {
    AtomicReference<ObjectStore> itself = new AtomicReference<>();
    Runnable collector =
        () -> {
          for (int i = 0; i < 10; i++) {
            itself.get().delete(id(i));
          }
        };
    ObjectStore store = open(10 * MIB, 100 * MIB, temp.resolve("spill"), collector);
    itself.set(store);
    for (int i = 0; i < 11; i++) {
      put(store, i, MIB, i);
    }

    assertThat(store.stats().spilledObjects()).isZero();
    assertThat(store.stats().sealedObjects()).isEqualTo(1);
    check(store, 10, MIB);
  }

  @Test
  void smallObjects_shareAFile_whichGoesWithTheLastOfThem() throws IOException {
    ObjectStore store = open(4 * MIB, 100 * MIB);
    for (int i = 0; i < 64; i++) {
      put(store, i, 64 << 10, i);
    }
    put(store, 100, 4 * MIB, 100);
    assertThat(store.stats().spilledObjects()).isEqualTo(64);
    assertThat(spillFiles()).isEqualTo(1);

    for (int i = 0; i < 63; i++) {
      assertThat(store.delete(id(i))).isTrue();
    }
    assertThat(spillFiles()).isEqualTo(1);
    check(store, 63, 64 << 10);
    store.delete(id(63));
    store.delete(id(100));
    assertThat(spillFiles()).isZero();
    assertThat(store.stats().spilledObjects()).isZero();
    assertThat(store.stats().spilledBytes()).isZero();
  }

  @Test
  void restored_andNotChanged_isDroppedWithoutWritingAgain() throws IOException {
    ObjectStore store = open(40 * MIB, 80 * MIB); // the quota holds each once
    put(store, 1, 30 * MIB, 1);
    put(store, 2, 30 * MIB, 2);
    for (int round = 0; round < 5; round++) {
      check(store, 1, 30 * MIB);
      check(store, 2, 30 * MIB);
    }
    assertThat(spillFiles()).isEqualTo(2);
  }

  @Test
  void copies_areDropped_beforeAnythingIsWritten() throws Exception {
    ObjectStore store = open(10 * MIB, 100 * MIB);
    put(store, 1, 4 * MIB, 1);
    try (Creation creation = store.create(id(2), 4 * MIB);
        Pin pin = sealedCopy(creation)) {
      assertThat(pin.id()).isEqualTo(id(2));
      assertThat(store.tryCreate(id(3), 4 * MIB)).isNull(); // pinned copies stay
    }
    try (Creation creation = store.tryCreate(id(3), 4 * MIB)) {
      assertThat(creation).isNotNull();
    }
    assertThat(store.pin(id(2))).isNull();
    check(store, 1, 4 * MIB);
    assertThat(spillFiles()).isZero();
  }

  private static Pin sealedCopy(Creation creation) {
    creation.segment().fill((byte) 2);
    return creation.sealCopy();
  }

  @Test
  void pinned_isNeverSpilled_andTheRestOverflows() throws IOException {
    ObjectStore store = open(10 * MIB, 100 * MIB);
    put(store, 1, 8 * MIB, 1);
    try (Pin pin = store.pin(id(1))) {
      put(store, 2, 8 * MIB, 2);
      try (Pin second = store.pin(id(2))) {
        assertThat(second.placement().overflowFile()).startsWith(temp.resolve("spill").toString());
        Contents.check(second.segment(), 2);
      }
      assertThat(store.stats().overflowObjects()).isEqualTo(1);
      assertThat(store.stats().overflowBytes()).isEqualTo(8 * MIB);
      Contents.check(pin.segment(), 1);
    }
    store.delete(id(2));
    assertThat(spillFiles()).isZero();
    assertThat(store.stats().overflowBytes()).isZero();
  }

  @Test
  void object_largerThanTheMemory_goesToAFileThatReadersMap() throws IOException {
    ObjectStore store = open(4 * MIB, 100 * MIB);
    assertThat(store.tryCreate(id(1), 9 * MIB)).isNull();
    put(store, 1, 9 * MIB + 3, 1);
    try (Pin pin = store.pin(id(1));
        SharedMemoryView view = SharedMemoryView.open(Path.of(pin.placement().overflowFile()))) {
      assertThat(pin.sizeBytes()).isEqualTo(9 * MIB + 3);
      Contents.check(view.reading(0, 9 * MIB + 3), 1);
      store.delete(id(1));
      Contents.check(pin.segment(), 1);
      assertThat(spillFiles()).isEqualTo(1);
    }
    assertThat(spillFiles()).isZero();
  }

  @Test
  void object_largerThanTheQuota_isRefusedWithFigures() throws IOException {
    ObjectStore store = open(4 * MIB, 8 * MIB);

    assertThatThrownBy(() -> store.create(id(1), 9 * MIB))
        .isExactlyInstanceOf(StoreFullException.class)
        .hasMessageContaining("9.0 MiB requested")
        .hasMessageContaining("0 bytes of a quota of 8.0 MiB, free on that disk ");
    assertThat(spillFiles()).isZero();
  }

  @Test
  void quota_whenItIsUsedUp_endsInAFullStoreThatKeepsAll() throws IOException {
    ObjectStore store = open(8 * MIB, 8 * MIB);
    for (int i = 0; i < 4; i++) {
      put(store, i, 4 * MIB, i);
    }
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
    StoreFullException e =
        catchThrowableOfType(
            StoreFullException.class, () -> store.create(id(9), 4 * MIB, deadlineNanos));
    assertThat(e).hasMessageContaining("8.0 MiB of a quota of 8.0 MiB");
    assertThat(e.stats().spilledBytes()).isEqualTo(8 * MIB);
    assertThat(store.stats().sealedObjects()).isEqualTo(4);
    store.delete(id(0));
    store.delete(id(1));
    check(store, 3, 4 * MIB);
    put(store, 9, 4 * MIB, 9);
    for (int i = 2; i < 4; i++) {
      check(store, i, 4 * MIB);
    }
  }

  @Test
  void disk_whenItIsFull_isToldAndNothingIsLost() throws IOException {
    try (TinyFileSystem tiny = TinyFileSystem.mount(temp.resolve("tiny"), 6 * MIB)) {
      ObjectStore store = open(8 * MIB, 100 * MIB, tiny.directory().resolve("spill"));
      put(store, 1, 4 * MIB, 1);
      put(store, 2, 4 * MIB, 2);
      put(store, 3, 4 * MIB, 3); // the disk holds one
      long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);

      OutOfDiskException e =
          catchThrowableOfType(
              OutOfDiskException.class, () -> store.create(id(4), 4 * MIB, deadlineNanos));
      assertThat(e).hasMessageContaining("the disk refuses: ");
      assertThatThrownBy(() -> store.create(id(5), 20 * MIB))
          .isInstanceOf(OutOfDiskException.class)
          .hasMessageContaining("no space for the 20.0 MiB");
      store.delete(id(3));
      check(store, 1, 4 * MIB);
      check(store, 2, 4 * MIB);
      store.close();
      assertThat(tiny.directory()).isEmptyDirectory();
    }
  }

  @Test
  void pin_whenThereIsNoRoomInMemoryNorOnDisk_readsWhatIsOnDisk() throws IOException {
    ObjectStore store = open(8 * MIB, 8 * MIB);
    for (int i = 0; i < 4; i++) {
      put(store, i, 4 * MIB, i);
    }
    List<Pin> pins = new ArrayList<>();
    for (int i = 0; i < 4; i++) { // two of them are in memory and fill it
      pins.add(store.pin(id(i)));
      check(store, i, 4 * MIB);
    }

    assertThat(store.stats().overflowBytes()).isEqualTo(8 * MIB);
    pins.forEach(Pin::close);
    assertThat(store.stats().overflowBytes()).isZero();
    assertThat(store.stats().spilledBytes()).isEqualTo(8 * MIB);
    for (int i = 0; i < 4; i++) {
      check(store, i, 4 * MIB);
      store.delete(id(i));
    }
    assertThat(temp.resolve("spill")).isEmptyDirectory();
  }

  @Test
  void pin_withoutTimeToWait_readsWhatIsOnDisk() throws Exception {
    ObjectStore store =
        ObjectStore.open(
            new StoreConfig(8 * MIB, Duration.ZERO),
            () -> {},
            temp.resolve("memory"),
            new SpillConfig(temp.resolve("spill"), 8 * MIB));
    opened.add(store);
    put(store, 1, 8 * MIB, 1);
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    store.create(id(2), 8 * MIB, deadlineNanos).seal(); // the first one is spilled

    check(store, 1, 8 * MIB);
  }

  @Test
  void delete_ofWhatIsMappedWhereItLies_keepsItForItsPins() throws IOException {
    ObjectStore store = open(4 * MIB, 4 * MIB);
    put(store, 1, 4 * MIB, 1);
    put(store, 2, 4 * MIB, 2);
    Pin blocker = store.pin(id(2));
    Pin mapped = store.pin(id(1));
    assertThat(mapped.placement().overflowFile()).isNotEmpty();

    store.delete(id(1));

    assertThat(store.pin(id(1))).isNull();
    assertThat(mapped.segment().get(JAVA_BYTE, 4 * MIB - 1)).isEqualTo((byte) 1);
    mapped.close();
    blocker.close();
    assertThat(temp.resolve("spill")).isEmptyDirectory();
  }

  @Test
  void open_withADirectoryThatCannotBeMade_isRefused() throws IOException {
    Path file = Files.createFile(temp.resolve("file"));

    assertThatThrownBy(() -> open(MIB, MIB, file.resolve("spill")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the spill directory " + file.resolve("spill") + " cannot be used");
    Files.delete(file);
    assertThat(temp.resolve("memory")).doesNotExist();
  }

  @Test
  void file_takenAwayByOthers_isALostObjectAndNoOther() throws IOException {
    ObjectStore store = open(20 * MIB, 100 * MIB);
    put(store, 1, 20 * MIB, 1);
    put(store, 2, 20 * MIB, 2);
    try (Stream<Path> files = Files.list(temp.resolve("spill"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    assertThatThrownBy(() -> store.pin(id(1)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(id(1) + " is lost");
    assertThat(store.pin(id(1))).isNull();
  }

  @Test
  void pin_ofASpilledObject_waitsForRoomAndIgnoresInterrupts() throws Exception {
    ObjectStore store = open(8 * MIB, 8 * MIB);
    put(store, 1, 8 * MIB, 1);
    put(store, 2, 8 * MIB, 2);
    Pin blocker = store.pin(id(2));
    AtomicInteger interrupts = new AtomicInteger();
    Thread reader =
        Thread.startVirtualThread(() -> {
          check(store, 1, 8 * MIB);
          interrupts.addAndGet(Thread.interrupted() ? 1 : 0);
        });
    Await.until(() -> store.stats().waitingCreates() == 1, store::stats);
    reader.interrupt();
    store.delete(id(2));
    blocker.close();
    assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
    assertThat(interrupts).hasValue(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void delete_whileAPinWaitsForRoom_makesItAbsent() throws Exception {
    AtomicReference<CountDownLatch> collecting = new AtomicReference<>(new CountDownLatch(0));
    Runnable collector = () -> await(collecting.get());
    ObjectStore store = open(8 * MIB, 8 * MIB, temp.resolve("spill"), collector);
    put(store, 1, 8 * MIB, 1);
    put(store, 2, 8 * MIB, 2);
    Pin blocker = store.pin(id(2));
    CountDownLatch deleted = new CountDownLatch(1);
    collecting.set(deleted);
    Future<Pin> reader = start(() -> store.pin(id(1)));
    Future<Pin> other = start(() -> store.pin(id(1)));
    Await.until(() -> store.stats().waitingCreates() == 1, store::stats);
    assertThat(store.delete(id(1))).isTrue();
    blocker.close();
    store.delete(id(2));
    deleted.countDown();

    assertThat(result(reader)).isNull();
    assertThat(result(other)).isNull();
    assertThat(store.stats().usedBytes()).isZero();
  }

  @Test
  void view_ofASpilledObject_holdsItUntilItIsCollected() throws IOException {
    ObjectStore store = open(8 * MIB, 100 * MIB);
    put(store, 1, 8 * MIB, 1);
    put(store, 2, 8 * MIB, 2);
    MemorySegment view = store.view(id(1));
    Contents.check(view, 1);
    put(store, 3, 8 * MIB, 3); // overflows
    assertThat(view.get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
    view = null;
    Await.untilCollected(() -> store.stats().pinnedObjects() == 0, store::objects);
  }

  @Test
  void manyThreads_inAStoreOfAFifthOfTheirData_readEveryByte() throws Exception {
    ObjectStore store = open(16 * MIB, 500 * MIB);
    int objects = 80;
    int[] sizes = new int[objects];
    for (int i = 0; i < objects; i++) {
      sizes[i] = ThreadLocalRandom.current().nextInt(2 * MIB);
      put(store, i, sizes[i], i);
    }
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    AtomicLong reads = new AtomicLong();
    List<Future<Boolean>> threads = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      int first = 1000 * (t + 1);
      threads.add(start(() -> work(store, sizes, first, endNanos, reads)));
    }
    for (Future<Boolean> thread : threads) {
      assertThat(result(thread)).isTrue();
    }
    for (int i = 0; i < objects; i++) {
      check(store, i, sizes[i]);
      store.delete(id(i));
    }
    assertThat(reads.get()).isGreaterThan(50);
    assertThat(store.stats().usedBytes()).isZero();
    assertThat(store.stats().spilledObjects()).isZero();
    assertThat(store.stats().pinnedObjects()).isZero();
    assertThat(spillFiles()).isZero();
  }

  private static boolean work(
      ObjectStore store, int[] sizes, int first, long endNanos, AtomicLong reads) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; System.nanoTime() - endNanos < 0; i++) {
      int number = random.nextInt(sizes.length);
      check(store, number, sizes[number]);
      int size = random.nextInt(MIB);
      ObjectId own = put(store, first + i, size, first + i);
      check(store, first + i, size);
      assertThat(store.delete(own)).isTrue();
      reads.incrementAndGet();
    }
    return true;
  }
}
