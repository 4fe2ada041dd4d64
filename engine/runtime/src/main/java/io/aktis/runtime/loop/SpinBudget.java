package io.aktis.runtime.loop;

/**
 * How long a thread should look for something before it sleeps: long while what is waited for
 * usually comes within {@value #MAX_NANOS} ns, for then looking is cheaper than being woken; hardly
 * at all while it does not, for then looking only takes a core from others.
 *
 * <p>What counts is the whole wait and not whether looking paid: two threads that always find each
 * other asleep would otherwise never learn that they are quick. Thread-safe; updates may be lost
 * without harm.
 */
public final class SpinBudget {
  private static final long MAX_NANOS = 100_000;
  private static final long MIN_NANOS = 1_000;

  private volatile long nanos = MAX_NANOS;

  /** Makes a budget that starts long. */
  public SpinBudget() {}

  /** Returns how long to look, in nanoseconds. */
  public long nanos() {
    return nanos;
  }

  /** Learns from a wait that took {@code waitedNanos} in all. */
  public void learn(long waitedNanos) {
    long now = nanos;
    if (waitedNanos < MAX_NANOS) {
      if (now < MAX_NANOS) {
        nanos = Math.min(MAX_NANOS, now * 2);
      }
    } else if (now > MIN_NANOS) {
      nanos = Math.max(MIN_NANOS, now / 2);
    }
  }
}
