package io.aktis.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far long work is: a bar on a terminal, a line now and then otherwise. */
interface Progress extends AutoCloseable {
  /** Shows nothing. */
  Progress NONE = new Progress() {};

  /** Says that {@code items} more are done. */
  default void step(long items) {}

  /** Ends the display. */
  @Override
  default void close() {}

  /** Where progress is shown, or that it is not. */
  @FunctionalInterface
  interface Display {
    /** Shows nothing. */
    Display NONE = (label, total) -> Progress.NONE;

    /** Starts to show the progress of {@code total} items. */
    Progress start(String label, long total);

    /**
     * Shows a bar on standard error if this process runs on a terminal, else lines on {@code err}.
     */
    @SuppressWarnings("SystemConsoleNull") // it is null on JDK 25
    static Display of(PrintWriter err) {
      Console console = System.console();
      if (console != null && console.isTerminal()) {
        return Bar::new;
      }
      return (label, total) -> new Lines(label, total, err, System::nanoTime);
    }
  }

  /** A bar with rate and time left. Confined to the thread that steps. */
  final class Bar implements Progress {
    private final ProgressBar bar;
    private long left;

    Bar(String label, long total) {
      left = total;
      bar =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.UNICODE_BLOCK)
              .setUpdateIntervalMillis(100)
              .showSpeed(new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
              .clearDisplayOnFinish()
              .build();
    }

    @Override
    public void step(long items) {
      long counted = Math.min(items, left);
      left -= counted;
      bar.stepBy(counted);
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line with rate and time left every few seconds. Confined to the thread that steps. */
  final class Lines implements Progress {
    private static final long INTERVAL_NS = Duration.ofSeconds(5).toNanos();

    private final String label;
    private final long total;
    private final PrintWriter out;
    private final LongSupplier clockNs;
    private final long startNs;
    private long lineNs;
    private long done;

    Lines(String label, long total, PrintWriter out, LongSupplier clockNs) {
      this.label = label;
      this.total = total;
      this.out = out;
      this.clockNs = clockNs;
      startNs = clockNs.getAsLong();
      lineNs = startNs;
    }

    @Override
    public void step(long items) {
      done = Math.min(total, done + items);
      long nowNs = clockNs.getAsLong();
      if (nowNs - lineNs >= INTERVAL_NS) {
        lineNs = nowNs;
        double rate = done / ((nowNs - startNs) / 1e9);
        out.printf(
            Locale.ROOT,
            "%s: %d %%, %,d of %,d, %,.0f/s, %.0f s left%n",
            label,
            100 * done / total,
            done,
            total,
            rate,
            (total - done) / rate);
        out.flush();
      }
    }
  }
}
