package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressTest {
  private final AtomicLong clockNs = new AtomicLong();
  private final StringWriter out = new StringWriter();
  private final Progress lines =
      new Progress.Lines("primes", 1_000_000, new PrintWriter(out, true), clockNs::get);

  @Test
  void lines_ofShortWork_printNothing() {
    lines.step(500_000);
    clockNs.addAndGet(TimeUnit.SECONDS.toNanos(4));
    lines.step(500_000);
    lines.close();

    assertThat(out.toString()).isEmpty();
  }

  @Test
  void lines_ofLongWork_tellRateAndTimeLeftEveryFiveSeconds() {
    clockNs.addAndGet(TimeUnit.SECONDS.toNanos(5));
    lines.step(100_000);
    clockNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
    lines.step(100_000);
    clockNs.addAndGet(TimeUnit.SECONDS.toNanos(4));
    lines.step(200_000);

    assertThat(out.toString().lines())
        .containsExactly(
            "primes: 10 %, 100,000 of 1,000,000, 20,000/s, 45 s left",
            "primes: 40 %, 400,000 of 1,000,000, 40,000/s, 15 s left");
  }

  @Test
  void lines_steppedBeyondTheTotal_stopAtIt() {
    clockNs.addAndGet(TimeUnit.SECONDS.toNanos(10));
    lines.step(2_000_000);

    assertThat(out.toString())
        .isEqualTo("primes: 100 %, 1,000,000 of 1,000,000, 100,000/s, 0 s left\n");
  }
}
