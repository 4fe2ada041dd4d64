package io.aktis.benchmarks.macro;

import io.aktis.benchmarks.macro.Load.Contender;
import io.aktis.benchmarks.macro.Measurement.Figure;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The windows of one contender. What fails ends its turns, not the run. */
final class Turns {
  /** The part of a window that goes before it, so that the heap has its size again. */
  private static final double SETTLING = 0.25;

  private final Contender contender;
  private final Rig rig;
  private final double[] values;
  private int taken;
  private @Nullable Probe probe;
  private String failure = "";

  Turns(Contender contender, Rig rig) {
    this.contender = contender;
    this.rig = rig;
    this.values = new double[contender.windows()];
  }

  /**
   * Takes a window.
   *
   * @param round which one, -1 for the warm-up
   */
  void take(int round, double seconds) throws InterruptedException {
    boolean warmUp = round < 0;
    boolean wanted = warmUp ? values.length == Load.WINDOWS : taken < values.length;
    if (!wanted || !failure.isEmpty()) {
      return;
    }
    try {
      Probe opened = probe;
      if (opened == null) {
        opened = contender.setup().open(rig);
        probe = opened;
      }
      System.gc();
      if (warmUp) {
        opened.measure(seconds);
      } else {
        opened.settle(seconds * SETTLING);
        values[taken++] = opened.measure(seconds);
      }
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
