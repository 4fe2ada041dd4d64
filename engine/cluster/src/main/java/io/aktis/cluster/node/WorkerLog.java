package io.aktis.cluster.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with what one worker prints, and the file before it. A full disk loses lines, and says
 * so once, but holds nobody up. Thread-safe.
 */
final class WorkerLog implements AutoCloseable {
  static final long MAX_BYTES = 16L << 20;
  private static final Logger LOG = LoggerFactory.getLogger(WorkerLog.class);

  private final Path file;
  private final Path previous;
  private final long maxBytes;
  private @Nullable OutputStream out;
  private long sizeBytes;
  private boolean broken;

  WorkerLog(Path file, long maxBytes) {
    this.file = file;
    this.previous = file.resolveSibling(file.getFileName() + ".1");
    this.maxBytes = maxBytes;
  }

  synchronized void write(String line) {
    if (broken) {
      return;
    }
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      stream(bytes.length).write(bytes);
      sizeBytes += bytes.length;
    } catch (IOException e) {
      broken = true;
      LOG.warn("what a worker prints is not written to {} any more: {}", file, e.toString());
      close();
    }
  }

  private OutputStream stream(int moreBytes) throws IOException {
    OutputStream current = out;
    if (current != null && (sizeBytes + moreBytes <= maxBytes || sizeBytes == 0)) {
      return current;
    }
    if (current != null) {
      current.close();
      Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
    }
    OutputStream next =
        Files.newOutputStream(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    out = next;
    sizeBytes = 0;
    return next;
  }

  @Override
  public synchronized void close() {
    OutputStream current = out;
    out = null;
    broken = true;
    if (current != null) {
      try {
        current.close();
      } catch (IOException e) {
        LOG.warn("{} was not closed: {}", file, e.toString());
      }
    }
  }
}
