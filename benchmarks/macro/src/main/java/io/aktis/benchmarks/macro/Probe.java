package io.aktis.benchmarks.macro;

import org.jspecify.annotations.Nullable;

/**
 * One side of a load, set up and ready to be measured. Confined to the thread of the bench, which
 * closes it after the last window.
 */
@FunctionalInterface
interface Probe extends AutoCloseable {
  /** Measures one window of about {@code seconds}; returns a figure in the unit of the load. */
  double measure(double seconds) throws Exception;

  /** Does for about {@code seconds} what a window does, and measures nothing. */
  default void settle(double seconds) throws Exception {}

  @Override
  default void close() {}

  /** What a window does again and again; gives its result so that no compiler leaves it out. */
  @FunctionalInterface
  interface Action {
    @Nullable Object run() throws Exception;
  }

  /** Makes a probe. */
  @FunctionalInterface
  interface Setup {
    Probe open(Rig rig) throws Exception;
  }

  /**
   * Measures how often an action can be done a second.
   *
   * @param unitsPerRun what one run counts for
   */
  static Probe rate(double unitsPerRun, Action action) {
    return new RateProbe(unitsPerRun, action);
  }

  /** Measures how long an action takes: the mean over a window, or one run if that takes longer. */
  static Probe duration(Action action) {
    Probe rate = rate(1, action);
    return new Probe() {
      @Override
      public double measure(double seconds) throws Exception {
        return 1 / rate.measure(seconds);
      }

      @Override
      public void settle(double seconds) throws Exception {
        rate.settle(seconds);
      }
    };
  }

  /** Returns this probe with something to do at its end. */
  default Probe closing(Runnable atEnd) {
    Probe probe = this;
    return new Probe() {
      @Override
      public double measure(double seconds) throws Exception {
        return probe.measure(seconds);
      }

      @Override
      public void settle(double seconds) throws Exception {
        probe.settle(seconds);
      }

      @Override
      public void close() {
        probe.close();
        atEnd.run();
      }
    };
  }
}
