package io.aktis.benchmarks.macro;

/**
 * Counts how often an action can be done. What takes less than some microseconds is done several
 * times between two looks at the clock, which would otherwise be part of what is measured.
 */
final class RateProbe implements Probe {
  private static final long LEAST_BATCH_NANOS = 20_000;
  private static final int MAX_BATCH = 4096;

  private final double unitsPerRun;
  private final Action action;
  private int batch = 1;

  RateProbe(double unitsPerRun, Action action) {
    this.unitsPerRun = unitsPerRun;
    this.action = action;
  }

  @Override
  public double measure(double seconds) throws Exception {
    long windowNanos = (long) (seconds * 1e9);
    long start = System.nanoTime();
    long now = start;
    long runs = 0;
    do {
      long before = now;
      for (int i = 0; i < batch; i++) {
        if (action.run() == this) {
          throw new IllegalStateException("never so; but the result has to be there to know it");
        }
      }
      runs += batch;
      now = System.nanoTime();
      if (now - before < LEAST_BATCH_NANOS && batch < MAX_BATCH) {
        batch *= 2;
      }
    } while (now - start < windowNanos);
    return runs * unitsPerRun * 1e9 / (now - start);
  }

  @Override
  public void settle(double seconds) throws Exception {
    measure(seconds);
  }
}
