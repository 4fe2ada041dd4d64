package io.aktis.cluster.rpc;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down who was refused and why, for the people on this side. At most one line a second: who
 * knocks all the time must not fill the disk. Thread-safe.
 */
public final class RefusalLog {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final long QUIET_NS = 1_000_000_000;

  private final AtomicLong nextNs = new AtomicLong(System.nanoTime());
  private final AtomicLong unwritten = new AtomicLong();
  private volatile String last = "";

  /**
   * Writes down a refusal.
   *
   * @param who the address that it came from; {@code null} when that is not known
   */
  public void refused(@Nullable SocketAddress who, String why) {
    String line = "refused " + who + ": " + why;
    last = line;
    long now = System.nanoTime();
    long next = nextNs.get();
    if (now - next >= 0 && nextNs.compareAndSet(next, now + QUIET_NS)) {
      long before = unwritten.getAndSet(0);
      LOG.warn("{}{}", line, before == 0 ? "" : " (and " + before + " others before)");
    } else {
      unwritten.incrementAndGet();
    }
  }

  /** Returns the last refusal, whether it was written or not; empty if there was none. */
  public String last() {
    return last;
  }
}
