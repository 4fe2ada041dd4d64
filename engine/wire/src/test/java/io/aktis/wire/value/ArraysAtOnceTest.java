package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Arrays travel beside the graph, so whoever decodes a graph must find its own. */
final class ArraysAtOnceTest {
  private static final int THREADS = 4;

  @SuppressWarnings("ArrayRecordComponent") // compared field by field
  record Table(double[][] rows, boolean[] classes) {}

  @Test
  void arrays_tooLargeForTheGraph_comeBackOnEachThread() throws Exception {
    ValueCodec codec = ValueCodec.of(ArraysAtOnceTest.class.getClassLoader());
    CyclicBarrier together = new CyclicBarrier(THREADS);
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      Table table = table(thread);
      work.add(() -> {
        for (int trip = 0; trip < 200; trip++) {
          together.await(10, TimeUnit.SECONDS);
          Table back = Trips.byMessage(codec, table);
          assertThat(back.rows()).isDeepEqualTo(table.rows());
          assertThat(back.classes()).isEqualTo(table.classes());
        }
        return true;
      });
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Boolean> done : threads.invokeAll(work)) {
        assertThat(done.get()).isTrue();
      }
    }
  }

  private static Table table(int number) {
    double[][] rows = new double[30][4_000];
    for (double[] row : rows) {
      Arrays.fill(row, number);
    }
    boolean[] classes = new boolean[20_000 + number];
    Arrays.fill(classes, number % 2 == 0);
    return new Table(rows, classes);
  }
}
