package io.aktis.cluster.node;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Notes which attempts have started, in a mapped file that outlives the process: when it dies, its
 * node reads what had started, for only that may have run. A ring of {@value #SLOTS} numbers;
 * number n is at place n modulo the size. Thread-safe: a number is written by one thread, and a
 * number that is overwritten by a later one is so much lower that nobody relies on it.
 *
 * <p>The pages belong to the file, not to the process, so a kill at any moment loses nothing; only
 * the end of the machine does, and then nobody asks.
 */
public final class StartJournal implements LongConsumer {
  private static final int SLOTS = 1 << 16;
  private static final long SIZE_BYTES = (long) SLOTS * Long.BYTES;
  private static final ValueLayout.OfLong NUMBER = ValueLayout.JAVA_LONG;

  private final MemorySegment ring;

  private StartJournal(MemorySegment ring) {
    this.ring = ring;
  }

  /**
   * Opens the journal of this process, which keeps it until its end.
   *
   * @throws IOException when the file exists or cannot be made
   */
  public static StartJournal create(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return new StartJournal(
          channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE_BYTES, Arena.global()));
    }
  }

  /** Notes that an attempt is about to start. */
  @Override
  public void accept(long number) {
    ring.setAtIndex(NUMBER, number & (SLOTS - 1), number);
  }

  /**
   * Returns the numbers in the journal of a process that has ended, in no order.
   *
   * @throws IOException when there is none, or it cannot be read
   */
  public static List<Long> read(Path file) throws IOException {
    List<Long> numbers = new ArrayList<>();
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MemorySegment ring = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      for (long i = 0; i < ring.byteSize() / Long.BYTES; i++) {
        long number = ring.getAtIndex(NUMBER, i);
        if (number != 0) {
          numbers.add(number);
        }
      }
    }
    return numbers;
  }
}
