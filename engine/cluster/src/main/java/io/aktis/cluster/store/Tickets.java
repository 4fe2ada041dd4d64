package io.aktis.cluster.store;

import io.aktis.core.id.ObjectId;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who may connect to the data port, and what for: a ticket is random, is for one object, and is
 * good once and for a short time. Thread-safe.
 */
final class Tickets {
  /** How long a ticket is good. */
  static final long LIFE_NS = TimeUnit.SECONDS.toNanos(10);

  /** Beyond so many that nobody has used, the oldest are good no longer. */
  static final int MAX_OPEN = 1_000;

  /** 128 bits that cannot be guessed. */
  record Ticket(long high, long low) {
    static final int BYTES = 2 * Long.BYTES;

    /** Reads the next bytes of a buffer. */
    static Ticket from(ByteBuffer bytes) {
      return new Ticket(bytes.getLong(), bytes.getLong());
    }

    void putTo(ByteBuffer bytes) {
      bytes.putLong(high).putLong(low);
    }

    byte[] bytes() {
      byte[] bytes = new byte[BYTES];
      putTo(ByteBuffer.wrap(bytes));
      return bytes;
    }

    @Override
    public String toString() {
      return "a ticket"; // it is a secret
    }
  }

  private record Issued(ObjectId object, long endNs) {}

  private final SecureRandom random = new SecureRandom();

  /** Guarded by the monitor; in the order in which they were issued, and so of their ends. */
  private final Map<Ticket, Issued> open = new LinkedHashMap<>();

  /**
   * Makes a ticket.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  synchronized Ticket issue(ObjectId object, long nowNs) {
    Ticket ticket = new Ticket(random.nextLong(), random.nextLong());
    open.put(ticket, new Issued(object, nowNs + LIFE_NS));
    Iterator<Issued> oldest = open.values().iterator();
    while (oldest.hasNext()) {
      boolean hasEnded = oldest.next().endNs - nowNs <= 0;
      if (!hasEnded && open.size() <= MAX_OPEN) {
        break;
      }
      oldest.remove();
    }
    return ticket;
  }

  /**
   * Takes a ticket, which is good no more.
   *
   * @return what it was for; null when there is no such ticket, or not any more
   */
  synchronized @Nullable ObjectId redeem(Ticket ticket, long nowNs) {
    Issued issued = open.remove(ticket);
    return issued == null || issued.endNs - nowNs <= 0 ? null : issued.object;
  }
}
