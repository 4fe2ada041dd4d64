package io.aktis.runtime.session;

import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows how far something is: a bar on a terminal, plain lines elsewhere. Confined to one thread.
 */
interface Progress extends AutoCloseable {
  /** Shows nothing when there is no label. */
  static Progress of(@Nullable String label, long total) {
    if (label == null) {
      return new Silent();
    }
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    return terminal ? new Bar(label, total) : new Lines(label, total, System.err);
  }

  /** Shows that {@code done} of all are done. */
  void at(long done);

  @Override
  void close();

  /** Nothing is shown. */
  final class Silent implements Progress {
    @Override
    public void at(long done) {}

    @Override
    public void close() {}
  }

  /** A bar with rate and time left. */
  final class Bar implements Progress {
    private final ProgressBar bar;

    Bar(String label, long total) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(label)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .showSpeed()
              .build();
    }

    @Override
    public void at(long done) {
      bar.stepTo(done);
    }

    @Override
    public void close() {
      bar.close();
    }
  }

  /** A line every two seconds, and one at the end. */
  final class Lines implements Progress {
    private static final long PAUSE_NANOS = 2_000_000_000L;

    private final String label;
    private final long total;
    private final PrintStream out;
    private final long start = System.nanoTime();
    private long lastLine = start;
    private long lastDone;

    Lines(String label, long total, PrintStream out) {
      this.label = label;
      this.total = total;
      this.out = out;
    }

    @Override
    public void at(long done) {
      lastDone = done;
      long now = System.nanoTime();
      if (now - lastLine >= PAUSE_NANOS) {
        lastLine = now;
        out.println(line(now));
      }
    }

    @Override
    public void close() {
      out.println(line(System.nanoTime()));
    }

    private String line(long now) {
      double seconds = Math.max(1e-9, (now - start) / 1e9);
      double rate = lastDone / seconds;
      String left =
          lastDone == total || rate == 0
              ? String.format(Locale.ROOT, "%.1f s", seconds)
              : Duration.ofSeconds((long) ((total - lastDone) / rate)).toSeconds() + " s left";
      return String.format(
          Locale.ROOT,
          "%s: %d/%d (%d %%), %.0f/s, %s",
          label,
          lastDone,
          total,
          total == 0 ? 100 : lastDone * 100 / total,
          rate,
          left);
    }
  }
}
