package io.aktis.cli;

import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.RemoteFunction1;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The three ways in which {@code aktis demo} counts primes; it prints parts of this file. */
final class PrimeCounts {
  private PrimeCounts() {}

  static boolean isPrime(int n) {
    for (int d = 2; d <= n / d; d++) {
      if (n % d == 0) {
        return false;
      }
    }
    return n > 1;
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

  /** Counts the primes below {@code limit} on the calling thread, piece by piece. */
  static long inOneThread(int limit, int chunk, Progress progress) {
    long primes = 0;
    for (int from = 0; from < limit; from += chunk) {
      primes += count(from, Math.min(from + chunk, limit));
      progress.step(Math.min(chunk, limit - from));
    }
    return primes;
  }

  /** Counts the primes below {@code limit}, each piece in a task. */
  static long inChunks(int limit, int chunk, Progress progress) {
    // demo: chunks
    List<ObjectRef<Integer>> parts = new ArrayList<>();
    for (int from = 0; from < limit; from += chunk) {
      parts.add(Aktis.task(PrimeCounts::count, from, Math.min(from + chunk, limit)).remote());
    }
    long primes = 0;
    for (ObjectRef<Integer> part : Aktis.completed(parts)) {
      primes += part.get();
      progress.step(chunk);
    }
    // demo: end
    return primes;
  }

  /** Counts the primes below {@code limit}, each number in a task of its own. */
  static long oneByOne(int limit) {
    // demo: one by one
    RemoteFunction1<Integer, Boolean> isPrime = Aktis.remote(PrimeCounts::isPrime);
    List<ObjectRef<Boolean>> answers = IntStream.range(0, limit).mapToObj(isPrime::call).toList();
    long primes = Aktis.get(answers).stream().filter(answer -> answer).count();
    // demo: end
    return primes;
  }
}
