package io.aktis.cluster.node;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one job prints, byte by byte: the end of it, in two files, of which the older one is deleted
 * when the newer one is full. Bytes are counted from the first one that was printed, so that a
 * reader can go on where it was; the names of the files, {@code output-OFFSET.log}, say where each
 * begins, so that a later daemon can read them as well. A full disk loses bytes, and says so once
 * in the log of the daemon, but holds nobody up. Thread-safe.
 */
final class JobLog implements AutoCloseable {
  /** What a job's log may take of the disk; at least half of it is there to be read. */
  static final long MAX_BYTES = 64L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(JobLog.class);

  private static final Pattern NAME = Pattern.compile("output-(\\d{1,18})\\.log");

  private final Path directory;
  private final long maxFileBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private @Nullable OutputStream out;

  /** Of the older file; that of the newer one when there is no older one. */
  private long previousStart;

  private long start;
  private long end;
  private boolean closed;
  private boolean over;

  /**
   * A part of the log.
   *
   * @param offset of its first byte
   * @param data the bytes; none when there are no more yet
   * @param isLast whether nothing follows, ever
   */
  record Part(long offset, ByteString data, boolean isLast) {}

  /**
   * Makes a log that is empty; its files are made with the first byte.
   *
   * @param directory where they are; there is none of another log
   * @param maxBytes of both files together
   */
  JobLog(Path directory, long maxBytes) {
    this.directory = directory;
    this.maxFileBytes = maxBytes / 2;
  }

  /**
   * Finds the log of a job that is over, which a daemon before this one has written; empty when
   * nothing of it is in the directory.
   *
   * @throws IOException when the directory cannot be read
   */
  static Optional<JobLog> kept(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    JobLog log = new JobLog(directory, MAX_BYTES);
    TreeSet<Long> starts = new TreeSet<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          starts.add(Long.parseLong(name.group(1)));
        }
      }
    }
    if (!starts.isEmpty()) {
      log.start = starts.last();
      log.end = log.start + Files.size(log.file(log.start));
      Long before = starts.lower(log.start);
      boolean isWhole = before != null && before + Files.size(log.file(before)) == log.start;
      log.previousStart = isWhole ? before : log.start;
    }
    log.closed = true;
    log.over = true;
    return Optional.of(log);
  }

  private Path file(long offset) {
    return directory.resolve("output-" + offset + ".log");
  }

  /** Adds bytes. */
  void write(byte[] bytes, int count) {
    lock.lock();
    try {
      int from = 0;
      while (from < count && !closed) {
        OutputStream current = stream();
        int part = (int) Math.min(count - from, maxFileBytes - (end - start));
        current.write(bytes, from, part);
        end += part;
        from += part;
      }
      more.signalAll();
    } catch (IOException e) {
      LOG.warn("what a job prints is not written to {} any more: {}", directory, e.toString());
      close();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the stream to a file that has room. */
  private OutputStream stream() throws IOException {
    OutputStream current = out;
    if (current != null && end - start < maxFileBytes) {
      return current;
    }
    if (current != null) {
      current.close();
      if (previousStart < start) {
        Files.deleteIfExists(file(previousStart));
      }
      previousStart = start;
      start = end;
    }
    OutputStream next =
        Files.newOutputStream(file(start), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    out = next;
    return next;
  }

  /**
   * Reads on from an offset, or from the first byte that is kept if that one is not any more. Waits
   * when nothing is there yet.
   *
   * @param maxBytes of what is returned
   * @param waitMs how long to wait at most
   * @throws IllegalArgumentException when so much has not been printed
   * @throws IOException when the file cannot be read
   */
  Part read(long offset, int maxBytes, long waitMs) throws IOException, InterruptedException {
    lock.lock();
    try {
      if (offset < 0 || offset > end) {
        throw new IllegalArgumentException(
            "the offset " + offset + " is not one of 0 to " + end + ", which is what was printed");
      }
      long leftNanos = TimeUnit.MILLISECONDS.toNanos(waitMs);
      while (offset == end && !over && leftNanos > 0) {
        leftNanos = more.awaitNanos(leftNanos);
      }
      long from = Math.max(offset, previousStart);
      ByteString data = bytes(from, (int) Math.min(maxBytes, end - from));
      return new Part(from, data, over && from + data.size() == end);
    } finally {
      lock.unlock();
    }
  }

  private ByteString bytes(long from, int count) throws IOException {
    if (count == 0) {
      return ByteString.EMPTY;
    }
    boolean isOld = from < start;
    int length = isOld ? (int) Math.min(count, start - from) : count;
    ByteBuffer buffer = ByteBuffer.allocate(length);
    Path file = file(isOld ? previousStart : start);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long position = from - (isOld ? previousStart : start);
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, position + buffer.position());
        if (read < 0) {
          throw new IOException("somebody has cut off " + file);
        }
      }
    }
    return UnsafeByteOperations.unsafeWrap(buffer.array());
  }

  /** Says that the job is over: nothing follows, and nobody needs to wait. */
  void over() {
    lock.lock();
    try {
      over = true;
      more.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the file: what is written after that is lost. What is there can be read. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      OutputStream current = out;
      out = null;
      if (current != null) {
        current.close();
      }
    } catch (IOException e) {
      LOG.warn("{} was not closed: {}", file(start), e.toString());
    } finally {
      lock.unlock();
    }
  }
}
