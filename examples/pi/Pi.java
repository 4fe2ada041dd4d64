import io.aktis.Aktis;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Estimates pi by throwing darts at a square, with a progress bar. */
final class Pi {
  private static final int DARTS_PER_BATCH = 100_000;

  static void main(String[] args) {
    int batches = args.length > 0 ? Integer.parseInt(args[0]) : 500;

    try (var _ = Aktis.init()) {
      List<Long> seeds = LongStream.range(0, batches).boxed().toList();
      List<Integer> hits = Aktis.map(seeds, Pi::hits).progress("batches").get();

      double darts = (double) batches * DARTS_PER_BATCH;
      double pi = 4 * hits.stream().mapToLong(Integer::longValue).sum() / darts;
      double tolerance = 5 * 1.65 / Math.sqrt(darts); // five standard deviations
      IO.println(
          "pi is about %.5f, give or take %.5f, after %,.0f darts".formatted(pi, tolerance, darts));
      if (Math.abs(pi - Math.PI) > tolerance) {
        throw new AssertionError("that is too far from " + Math.PI);
      }
    }
  }

  /**
   * Throws one batch of darts and counts those inside the circle; the same seed, the same count.
   */
  static int hits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int hits = 0;
    for (int dart = 0; dart < DARTS_PER_BATCH; dart++) {
      double x = random.nextDouble();
      double y = random.nextDouble();
      if (x * x + y * y < 1) {
        hits++;
      }
    }
    return hits;
  }
}
