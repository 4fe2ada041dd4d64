package io.aktis.store;

import static io.aktis.store.Stores.MIB;
import static io.aktis.store.Stores.id;
import static io.aktis.store.Stores.put;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose memory is a file. */
final class SharedStoreTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path temp;

  private ObjectStore open(Path file, long capacityBytes) throws IOException {
    return ObjectStore.open(new StoreConfig(capacityBytes, LONG), () -> {}, file, null);
  }

  @Test
  void open_makesASparseFileForItsUserAlone_whichGoesWithTheClose() throws IOException {
    Path file = temp.resolve("memory");
    try (ObjectStore store = open(file, 100 * MIB)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Files.size(file)).isEqualTo(200 * MIB);
      assertThat(blocksBytes(file)).isLessThan(MIB);
      put(store, 1, 3 * MIB, 1);
      assertThat(blocksBytes(file)).isBetween(4L * MIB, 5L * MIB);
    }
    assertThat(temp).isEmptyDirectory();
  }

  private static long blocksBytes(Path file) throws IOException {
    Process du = new ProcessBuilder("du", "-B1", file.toString()).start();
    String text = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Long.parseLong(text.substring(0, text.indexOf('\t')));
  }

  @Test
  void open_ofAFileThatExists_isRefused() throws IOException {
    Path file = Files.createFile(temp.resolve("memory"));

    assertThatThrownBy(() -> open(file, MIB)).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).exists();
  }

  @Test
  void view_ofTheFile_seesWhatWasSealed() throws Exception {
    Path file = temp.resolve("memory");
    try (ObjectStore store = open(file, 10 * MIB);
        SharedMemoryView view = SharedMemoryView.open(file)) {
      put(store, 1, 1000, 1);
      try (Creation creation = store.create(id(2), 5 * MIB)) {
        Placement placement = creation.placement();
        assertThat(placement.overflowFile()).isEmpty();
        view.writing(placement.offset(), placement.sizeBytes()).fill((byte) 2);
        creation.seal();
      }
      try (Pin pin = store.pin(id(2))) {
        assertThat(pin.segment().get(JAVA_BYTE, 5 * MIB - 1)).isEqualTo((byte) 2);
        Placement placement = pin.placement();
        MemorySegment reading = view.reading(placement.offset(), placement.sizeBytes());
        assertThat(reading.mismatch(pin.segment())).isEqualTo(-1);
        assertThatThrownBy(() -> reading.set(JAVA_BYTE, 0, (byte) 9))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void view_forReading_cannotBeWrittenByItsAddressEither() throws IOException {
    assumeThat(Path.of("/proc/self/maps")).exists();
    Path file = temp.resolve("memory");
    try (ObjectStore store = open(file, 10 * MIB);
        SharedMemoryView view = SharedMemoryView.open(file)) {
      put(store, 1, 1000, 1);
      assertThat(rightsAt(view.writing(0, 1000))).isEqualTo("rw-s");
      assertThat(rightsAt(view.reading(0, 1000))).isEqualTo("r--s");
      assertThat(rightsAt(view.keptReading(0, 1000, () -> {}))).isEqualTo("r--s");
    }
  }

  /** Returns what the system lets this process do with the memory there. */
  private static String rightsAt(MemorySegment segment) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
      String[] words = line.split("[- ]+", 4);
      long start = Long.parseUnsignedLong(words[0], 16);
      long end = Long.parseUnsignedLong(words[1], 16);
      if (segment.address() >= start && segment.address() < end) {
        return line.split(" ")[1];
      }
    }
    throw new AssertionError("nothing is mapped at " + segment);
  }

  @Test
  void view_closedWhileItsSegmentsAreUsed_failsAndDoesNotCrash() throws IOException {
    Path file = temp.resolve("memory");
    try (ObjectStore store = open(file, 10 * MIB)) {
      put(store, 1, 1000, 1);
      SharedMemoryView view = SharedMemoryView.open(file);
      MemorySegment reading = view.reading(0, 1000);
      AtomicInteger released = new AtomicInteger();
      MemorySegment kept = view.keptReading(0, 1000, released::incrementAndGet);
      view.close();
      view.close();

      assertThat(kept.get(JAVA_BYTE, 999)).isEqualTo((byte) 1);
      assertThat(reading.get(JAVA_BYTE, 0)).isEqualTo((byte) 1); // mapped for as long as the view
      kept = null;
      Await.untilCollected(() -> released.get() == 1 && !reading.scope().isAlive(), released::get);
      assertThatThrownBy(() -> reading.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> view.keptReading(0, 1, () -> {}))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void close_withPins_takesTheNameAndLeavesTheBytes() throws IOException {
    Path file = temp.resolve("memory");
    ObjectStore store = open(file, 10 * MIB);
    put(store, 1, 1000, 7);
    Pin pin = store.pin(id(1));
    MemorySegment segment = pin.segment();
    store.close();

    assertThat(temp).isEmptyDirectory();
    assertThat(segment.get(JAVA_BYTE, 999)).isEqualTo((byte) 7);
    pin.close();
    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void create_whereTheFileSystemIsSmall_isRefusedAndDoesNotCrash() throws Exception {
    try (TinyFileSystem tiny = TinyFileSystem.mount(temp.resolve("tiny"), 16 * MIB)) {
      try (ObjectStore store = open(tiny.directory().resolve("memory"), 64 * MIB)) {
        put(store, 1, 10 * MIB, 1);
        assertThat(store.tryCreate(id(2), 20 * MIB)).isNull();
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        StoreFullException e =
            catchThrowableOfType(
                StoreFullException.class, () -> store.create(id(2), 20 * MIB, deadlineNanos));
        assertThat(e).hasMessageContaining("20.0 MiB requested");
        assertThat(e)
            .hasMessageContaining("the system has memory for 1")
            .hasMessageContaining("only");
        try (Pin pin = store.pin(id(1))) {
          Contents.check(pin.segment(), 1);
        }
        put(store, 3, 4 * MIB, 3);
        store.delete(id(1));
        put(store, 4, 9 * MIB, 4);
        try (Pin pin = store.pin(id(3))) {
          Contents.check(pin.segment(), 3);
        }
      }
    }
  }

  @Test
  void fullFileSystem_whenItHasRoomAgain_isUsedAgain() throws Exception {
    try (TinyFileSystem tiny = TinyFileSystem.mount(temp.resolve("tiny"), 16 * MIB);
        ObjectStore store = open(tiny.directory().resolve("memory"), 64 * MIB)) {
      Path ballast = tiny.directory().resolve("ballast");
      Files.write(ballast, new byte[12 * MIB]);
      assertThat(store.tryCreate(id(1), 8 * MIB)).isNull();
      var waiting = Stores.startWaitingCreate(store, 1, 8 * MIB, 0);
      Files.delete(ballast);

      try (Creation creation = Stores.result(waiting)) {
        creation.segment().fill((byte) 1);
        assertThat(creation.seal()).isTrue();
      }
    }
  }

  @Test
  void files_ofRandomSizes_keepTheirBytesInASmallFileSystem() throws Exception {
    try (TinyFileSystem tiny = TinyFileSystem.mount(temp.resolve("tiny"), 24 * MIB);
        ObjectStore store = open(tiny.directory().resolve("memory"), 20 * MIB)) {
      Random random = new Random(42);
      for (int i = 0; i < 400; i++) {
        put(store, i, random.nextInt(3 * MIB), i);
        try (Pin pin = store.pin(id(i))) {
          Contents.check(pin.segment(), i);
        }
        if (i >= 5) {
          store.delete(id(i - random.nextInt(6)));
          store.delete(id(i - 5));
        }
      }
      assertThat(store.stats().usedBytes()).isLessThanOrEqualTo(20L * MIB);
    }
  }
}
