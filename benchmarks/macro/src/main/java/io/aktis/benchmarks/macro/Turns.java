package io.aktis.benchmarks.macro;

import io.aktis.benchmarks.macro.Load.Contender;
import io.aktis.benchmarks.macro.Measurement.Figure;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The windows of one contender. What fails ends its turns, not the run. */
final class Turns {
  /** The part of a window that goes before it, so that the heap has its size again. */
  private static final double SETTLING = 0.25;

  /** What is so many times as good as the best before is still warming up. */
  private static final double CLEARLY_BETTER = 1.1;

  /** Warm is what has not become clearly better in so many windows, one after the other. */
  private static final int STEADY_WINDOWS = 2;

  private static final int MOST_WARM_UP_WINDOWS = 20;

  private final Contender contender;
  private final Unit unit;
  private final Rig rig;
  private final double[] values;
  private int taken;
  private @Nullable Probe probe;
  private String failure = "";

  Turns(Contender contender, Unit unit, Rig rig) {
    this.contender = contender;
    this.unit = unit;
    this.rig = rig;
    this.values = new double[contender.windows()];
  }

  /**
   * Goes on until windows do not become better any more: code that has just been loaded takes
   * seconds until it is compiled, in a young cluster that of several processes. Does nothing for
   * what does not warm up.
   */
  void warmUp(double seconds) throws InterruptedException {
    if (contender.warms()) {
      attempt(probe -> becomeSteady(probe, seconds));
    }
  }

  private void becomeSteady(Probe warming, double seconds) throws Exception {
    double best = warming.measure(seconds);
    int steady = 0;
    for (int i = 1; i < MOST_WARM_UP_WINDOWS && steady < STEADY_WINDOWS; i++) {
      System.gc();
      double next = warming.measure(seconds);
      boolean better = unit.advantage(next, best) >= CLEARLY_BETTER;
      steady = better ? 0 : steady + 1;
      best = better ? next : best;
    }
  }

  /** Takes a window, when one is left to take. */
  void take(double seconds) throws InterruptedException {
    if (taken < values.length) {
      attempt(probe -> {
        probe.settle(seconds * SETTLING);
        values[taken++] = probe.measure(seconds);
      });
    }
  }

  /** Something that is done with a probe. */
  @FunctionalInterface
  private interface Step {
    void run(Probe probe) throws Exception;
  }

  private void attempt(Step step) throws InterruptedException {
    if (!failure.isEmpty()) {
      return;
    }
    try {
      Probe opened = probe;
      if (opened == null) {
        opened = contender.setup().open(rig);
        probe = opened;
      }
      System.gc();
      step.run(opened);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | LinkageError | OutOfMemoryError e) {
      failed(e);
    }
  }

  private void failed(Throwable thrown) {
    if (failure.isEmpty()) {
      failure = thrown.toString();
    }
  }

  Figure figure() {
    double median = failure.isEmpty() ? Figures.median(Arrays.copyOf(values, taken)) : Double.NaN;
    return new Figure(contender.side(), contender.what(), median, failure);
  }

  /** Closes the probe. */
  void close() {
    Probe opened = probe;
    probe = null;
    if (opened != null) {
      try {
        opened.close();
      } catch (RuntimeException e) {
        failed(e);
      }
    }
  }
}
