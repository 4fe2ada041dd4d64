import io.aktis.Aktis;
import io.aktis.ObjectRef;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Counts primes: a loop on one core becomes tasks on all cores. */
final class Primes {
  private static final int CHUNK = 25_000;

  static void main(String[] args) {
    int limit = args.length > 0 ? Integer.parseInt(args[0]) : 2_000_000;

    try (var _ = Aktis.init()) {
      List<ObjectRef<Integer>> parts = new ArrayList<>();
      for (int from = 0; from < limit; from += CHUNK) {
        parts.add(Aktis.task(Primes::count, from, Math.min(from + CHUNK, limit)).remote());
      }
      int primes = Aktis.get(parts).stream().mapToInt(part -> part).sum();

      IO.println(
          "%,d primes below %,d, counted by %d tasks".formatted(primes, limit, parts.size()));
      if (primes != sieve(limit)) {
        throw new AssertionError("the sieve of Eratosthenes finds " + sieve(limit));
      }
    }
  }

  static int count(int from, int to) {
    int primes = 0;
    for (int n = from; n < to; n++) {
      if (isPrime(n)) {
        primes++;
      }
    }
    return primes;
  }

  private static boolean isPrime(int n) {
    for (int d = 2; d <= n / d; d++) {
      if (n % d == 0) {
        return false;
      }
    }
    return n > 1;
  }

  /** Counts in another way, to check the result. */
  private static int sieve(int limit) {
    BitSet candidates = new BitSet(limit);
    candidates.set(Math.min(2, limit), limit);
    for (int n = 2; n <= limit / n; n++) {
      if (candidates.get(n)) {
        for (int multiple = n * n; multiple < limit; multiple += n) {
          candidates.clear(multiple);
        }
      }
    }
    return candidates.cardinality();
  }
}
