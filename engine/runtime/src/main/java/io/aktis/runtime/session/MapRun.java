package io.aktis.runtime.session;

import io.aktis.AktisException;
import io.aktis.ObjectRef;
import io.aktis.TimeoutException;
import io.aktis.function.TaskFunction1;
import io.aktis.spi.MapPlan;
import io.aktis.spi.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One parallel map: cuts the items into batches, keeps every CPU busy with a few of them, and puts
 * the results in order.
 *
 * <p>The first batches have one item. From then on the size follows the measured time of an item,
 * so that a batch takes some milliseconds: long against the way to a worker, short against the
 * whole, so that the CPUs end at the same time. Confined to the thread that waits for the map.
 *
 * @param <T> type of the items
 * @param <R> type of the results
 */
final class MapRun<T, R> {
  private static final long BATCH_NANOS = 10_000_000;
  private static final int BATCHES_PER_CPU = 3;
  private static final int TAIL_DIVISOR = 4;

  private final Kernel kernel;
  private final List<? extends T> items;
  private final Batch<T, R> function;
  private final MapPlan plan;
  private final @Nullable Object[] results;
  private final int window;
  private final LinkedBlockingQueue<Chunk<R>> finished = new LinkedBlockingQueue<>();
  private final Map<Integer, ObjectRef<Batch.Result<R>>> running = new LinkedHashMap<>();
  private double nanosPerItem;
  private int next;
  private int done;

  MapRun(
      Kernel kernel,
      List<? extends T> items,
      TaskFunction1<? super T, ? extends R> function,
      MapPlan plan) {
    this.kernel = kernel;
    this.items = items;
    this.function = new Batch<>(function);
    this.plan = plan;
    this.results = new Object[items.size()];
    double cpus = kernel.session().cluster().total("CPU");
    double each = plan.options().cpus().orElse(1);
    int slots = each == 0 ? items.size() : (int) Math.max(1, cpus / each);
    this.window = Math.max(1, Math.min(slots, 1024)) * BATCHES_PER_CPU;
  }

  @SuppressWarnings("unchecked")
  List<R> run(@Nullable Duration timeout) {
    long deadline = timeout == null ? Long.MAX_VALUE : Waits.deadline(timeout);
    try (Progress progress = Progress.of(plan.progressLabel(), items.size())) {
      while (done < results.length) {
        submit();
        Chunk<R> chunk = await(deadline);
        take(chunk);
        progress.at(done);
      }
      return (List<R>) new ArrayList<>(Arrays.asList(results));
    } finally {
      running.values().forEach(this::drop);
    }
  }

  private void drop(ObjectRef<Batch.Result<R>> ref) {
    if (!kernel.session().isClosed()) {
      ref.cancel();
      ref.close();
    }
  }

  private void submit() {
    while (running.size() < window && next < items.size()) {
      int start = next;
      int end = Math.min(items.size(), start + size());
      next = end;
      @Nullable Object[] part = new Object[end - start];
      for (int i = start; i < end; i++) {
        part[i - start] = items.get(i);
      }
      Work work = Work.of(function, Batch.unchanging(part)).withOptions(plan.options());
      Ref<Batch.Result<R>> ref =
          (Ref<Batch.Result<R>>) kernel.session().engine().<Batch.Result<R>>submit(work);
      running.put(start, ref);
      Chunk<R> chunk = new Chunk<>(start, ref);
      ref.cell().whenSettled(new Cell.Waiter(done -> finished.add(chunk)));
    }
  }

  /** Returns how many items the next batch takes. */
  private int size() {
    if (plan.batchSize() > 0) {
      return plan.batchSize();
    }
    if (nanosPerItem == 0) {
      return 1;
    }
    int left = items.size() - next;
    int fair = Math.max(1, left / (window * TAIL_DIVISOR / BATCHES_PER_CPU));
    return (int) Math.clamp(BATCH_NANOS / nanosPerItem, 1, fair);
  }

  private Chunk<R> await(long deadline) {
    Chunk<R> ready = finished.poll();
    if (ready != null) {
      return ready;
    }
    Waits waits = kernel.session().waits();
    ready = waits.whileLending(waits.currentRun(), List::of, () -> nextFinished(deadline));
    if (ready == null) {
      throw new TimeoutException(
          "The time for the map is over; " + done + " of " + results.length + " items were done.");
    }
    return ready;
  }

  private @Nullable Chunk<R> nextFinished(long deadline) throws InterruptedException {
    return deadline == Long.MAX_VALUE
        ? finished.take()
        : finished.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  /** Takes the results of a batch, or throws its failure. */
  private void take(Chunk<R> chunk) throws AktisException {
    running.remove(chunk.start);
    try {
      Batch.Result<R> result = chunk.ref.get();
      List<R> values = result.values();
      for (int i = 0; i < values.size(); i++) {
        results[chunk.start + i] = values.get(i);
      }
      done += values.size();
      double measured = (double) result.nanos() / Math.max(1, values.size());
      nanosPerItem = nanosPerItem == 0 ? measured : (nanosPerItem + measured) / 2;
    } finally {
      chunk.ref.close();
    }
  }

  /** A batch that has ended. */
  private record Chunk<R>(int start, ObjectRef<Batch.Result<R>> ref) {}
}
