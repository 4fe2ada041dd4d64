package io.aktis.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What the demo found.
 *
 * @param limit the numbers below it were counted on one thread and in chunks
 * @param cpus CPUs of the engine
 * @param chunk numbers a task
 * @param sequential on one thread
 * @param chunks in chunks, each a task
 * @param microLimit the numbers below it were counted with a task each
 * @param micro with a task for each number
 * @param microSequential the same numbers on one thread
 */
record DemoResult(
    int limit,
    int cpus,
    int chunk,
    Count sequential,
    Count chunks,
    int microLimit,
    Count micro,
    Count microSequential) {
  /**
   * One way of counting.
   *
   * @param count the primes found
   * @param seconds the time it took
   */
  record Count(long count, double seconds) {}

  /** Fails when two ways that counted the same range found different numbers. */
  void checkAgreement() {
    if (chunks.count() != sequential.count() || micro.count() != microSequential.count()) {
      throw new CommandFailure(
          ExitCode.FAILED,
          String.format(
              Locale.ROOT,
              "the counts differ: %,d and %,d below %,d, %,d and %,d below %,d",
              sequential.count(),
              chunks.count(),
              limit,
              microSequential.count(),
              micro.count(),
              microLimit),
          "this is a bug of Aktis, please report it");
    }
  }

  /** Returns the result as the JSON of {@code aktis demo --json}. */
  Map<String, Object> toMap() {
    Map<String, Object> sequentialMap = new LinkedHashMap<>();
    sequentialMap.put("count", sequential.count());
    sequentialMap.put("seconds", rounded(sequential.seconds()));

    Map<String, Object> chunksMap = new LinkedHashMap<>();
    chunksMap.put("count", chunks.count());
    chunksMap.put("seconds", rounded(chunks.seconds()));
    chunksMap.put("speedup", rounded(sequential.seconds() / chunks.seconds()));

    Map<String, Object> microMap = new LinkedHashMap<>();
    microMap.put("limit", microLimit);
    microMap.put("count", micro.count());
    microMap.put("seconds", rounded(micro.seconds()));
    microMap.put("sequentialSeconds", rounded(microSequential.seconds()));

    Map<String, Object> map = new LinkedHashMap<>();
    map.put("limit", limit);
    map.put("sequential", sequentialMap);
    map.put("chunks", chunksMap);
    map.put("microTasks", microMap);
    return map;
  }

  private static double rounded(double number) {
    return Math.round(number * 1e6) / 1e6;
  }

  /** Prints the result for people, and the code that led to it. */
  void print(PrintWriter out) {
    line(out, "Primes below %,d, on %d %s%n%n", limit, cpus, cpus == 1 ? "CPU" : "CPUs");
    print(out, "one thread", sequential, "");
    String detail =
        String.format(
            Locale.ROOT,
            "%.2fx   %,d tasks",
            sequential.seconds() / chunks.seconds(),
            Math.ceilDiv(limit, chunk));
    print(out, "chunks as tasks", chunks, detail);

    line(
        out,
        "%nPrimes below %,d, a task for each number: best avoided, but not ruinous%n%n",
        microLimit);
    print(out, "one thread", microSequential, "");
    detail =
        String.format(
            Locale.ROOT,
            "%.2fx   %,d tasks, %,.0f a second",
            microSequential.seconds() / micro.seconds(),
            microLimit,
            microLimit / micro.seconds());
    print(out, "a task per number", micro, detail);

    line(out, "%nThe code of the chunks%n%n%s", Snippet.of("chunks").indent(4));
    line(out, "%nand of a task per number%n%n%s", Snippet.of("one by one").indent(4));
  }

  private static void print(PrintWriter out, String way, Count count, String detail) {
    String text =
        String.format(
            Locale.ROOT,
            "    %-18s %,12d primes %9.3f s   %s",
            way,
            count.count(),
            count.seconds(),
            detail);
    out.println(text.stripTrailing());
  }

  private static void line(PrintWriter out, String format, Object... arguments) {
    out.print(String.format(Locale.ROOT, format, arguments));
  }
}
