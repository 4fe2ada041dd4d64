package io.aktis.runtime.loop;

import java.util.function.BooleanSupplier;

/**
 * Looks for something before its thread sleeps, for as long as that pays.
 *
 * <p>Being woken costs more than what is waited for often takes, so looking for some microseconds
 * makes short waits much shorter, as long as there is a core for whoever does the work. Where there
 * is none, looking takes the core from just that thread, and both are slow. Which of the two holds
 * shows in how often the look succeeds: while most do, looking goes on; else it pauses for a number
 * of waits that doubles with each trial that fails.
 *
 * <p>Thread-safe; updates may be lost without harm.
 */
public final class SpinBudget {
  private static final long NANOS = 50_000;
  private static final int SPINS_PER_LOOK = 32;

  private static final int MAX_CREDIT = 16;
  private static final int TRIAL_CREDIT = 4;
  private static final int PRICE_OF_FAILURE = 3;
  private static final int MIN_PAUSE = 64;
  private static final int MAX_PAUSE = 1 << 14;

  private int credit = MAX_CREDIT;
  private int pause;
  private int nextPause = MIN_PAUSE;

  /** Makes a budget that looks. */
  public SpinBudget() {}

  /** Looks until {@code there} says yes or it is time to sleep; returns whether it said yes. */
  public boolean look(BooleanSupplier there) {
    if (there.getAsBoolean()) {
      return true;
    }
    int left = pause;
    if (left > 0) {
      pause = left - 1;
      return false;
    }
    boolean found = spin(there);
    learn(found);
    return found;
  }

  private static boolean spin(BooleanSupplier there) {
    long end = System.nanoTime() + NANOS;
    do {
      for (int i = 0; i < SPINS_PER_LOOK; i++) {
        if (there.getAsBoolean()) {
          return true;
        }
        Thread.onSpinWait();
      }
    } while (System.nanoTime() - end < 0);
    return false;
  }

  private void learn(boolean found) {
    int now = credit;
    if (found) {
      if (now < MAX_CREDIT) {
        credit = now + 1;
      } else {
        nextPause = MIN_PAUSE;
      }
    } else if (now > PRICE_OF_FAILURE) {
      credit = now - PRICE_OF_FAILURE;
    } else {
      credit = TRIAL_CREDIT;
      pause = nextPause;
      nextPause = Math.min(MAX_PAUSE, nextPause * 2);
    }
  }
}
