package io.aktis.benchmarks.macro;

import io.aktis.Aktis;
import io.aktis.ObjectRef;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** What tasks and calls do: the same code on all sides of this JVM. */
final class Work {
  private static final Map<Long, MemorySegment> BLOCKS = new ConcurrentHashMap<>();

  private Work() {}

  static String noop() {
    return "ok";
  }

  /** Returns so many bytes, the same each time: making them is no part of what is measured. */
  static MemorySegment block(long bytes) {
    return BLOCKS.computeIfAbsent(
        bytes, size -> Arena.global().allocate(size).fill((byte) 1).asReadOnly());
  }

  static long size(MemorySegment block) {
    return block.byteSize();
  }

  /** Collects what this process does not need. */
  static String collect() {
    System.gc();
    return "ok";
  }

  static int same(int number) {
    return number;
  }

  /** Never ends by itself. */
  static String hold() throws InterruptedException {
    new CountDownLatch(1).await();
    return "never";
  }

  /** Computes a Fibonacci number with two tasks for each that it is the sum of. */
  static int fib(int n) {
    if (n < 2) {
      return n;
    }
    ObjectRef<Integer> a = Aktis.task(Work::fib, n - 1).remote();
    ObjectRef<Integer> b = Aktis.task(Work::fib, n - 2).remote();
    return a.get() + b.get();
  }

  static int fib(int n, ExecutorService executor) throws Exception {
    if (n < 2) {
      return n;
    }
    Future<Integer> a = executor.submit(() -> fib(n - 1, executor));
    Future<Integer> b = executor.submit(() -> fib(n - 2, executor));
    return a.get() + b.get();
  }

  /** Waits for a task that waits for a task, {@code depth} times. */
  static int nest(int depth) {
    return depth == 0 ? 0 : 1 + Aktis.task(Work::nest, depth - 1).remote().get();
  }

  static int nest(int depth, ExecutorService executor) throws Exception {
    return depth == 0 ? 0 : 1 + executor.submit(() -> nest(depth - 1, executor)).get();
  }

  /** An actor that does nothing much. */
  static final class Counter {
    String noop() {
      return "ok";
    }

    long size(MemorySegment block) {
      return block.byteSize();
    }
  }
}
