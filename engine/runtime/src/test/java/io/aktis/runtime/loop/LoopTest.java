package io.aktis.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LoopTest {
  private static final int MANY = 20_000;

  private final Crew crew = new Crew("loop-test", 8, null);

  @AfterEach
  void endThreads() throws InterruptedException {
    crew.close();
    assertThat(crew.awaitEnd(10_000)).isTrue();
  }

  @Test
  void events_ofSeveralThreads_areHandledOneAtATimeInTheOrderOfEach() throws Exception {
    Recorder recorder = new Recorder(4 * MANY, false);
    Loop<int[]> loop = new Loop<>(crew, recorder);
    List<Thread> threads = new ArrayList<>();
    for (int caller = 0; caller < 4; caller++) {
      int own = caller;
      threads.add(Thread.ofPlatform().start(() -> postAll(loop, own)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    recorder.awaitAll();
    assertThat(recorder.wrong).isEmpty();
  }

  private static void postAll(Loop<int[]> loop, int caller) {
    for (int i = 0; i < MANY; i++) {
      loop.post(new int[] {caller, i});
    }
  }

  @Test
  void events_afterWhichTheLoopRests_areNotLost() throws Exception {
    Recorder recorder = new Recorder(MANY, true);
    Loop<int[]> loop = new Loop<>(crew, recorder);
    postAll(loop, 0);
    recorder.awaitAll();
    assertThat(recorder.wrong).isEmpty();

    Recorder single = new Recorder(50, true);
    Loop<int[]> slow = new Loop<>(crew, single);
    for (int i = 0; i < 50; i++) {
      int before = i;
      slow.post(new int[] {0, i});
      assertThat(single.awaitHandled(before + 1)).isTrue();
    }
  }

  @Test
  void reports_whileTheLoopRunsOrRestsOrIsIdle_areAllHandled() throws Exception {
    Recorder recorder = new Recorder(2_000, true);
    Loop<int[]> loop = new Loop<>(crew, recorder);
    for (int round = 0; round < 1_000; round++) {
      loop.post(new int[] {0, round});
      loop.postAndRun(new int[] {1, round});
      assertThat(recorder.awaitHandled(2 * round + 2)).isTrue();
    }
    assertThat(recorder.wrong).isEmpty();
  }

  @Test
  void report_toAnIdleLoop_isHandledByWhoeverReports() {
    Thread[] handledBy = new Thread[1];
    Loop<String> loop =
        new Loop<>(
            crew,
            new Loop.Host<>() {
              @Override
              public void handle(String event) {
                handledBy[0] = Thread.currentThread();
              }

              @Override
              public boolean endBatch() {
                return true;
              }
            });
    assertThat(loop.postAndRun("report")).isTrue();
    assertThat(handledBy[0]).isEqualTo(Thread.currentThread());
  }

  @Test
  void batch_endsAfterItsEventsAndBeforeTheLoopIsIdle() throws Exception {
    AtomicInteger ends = new AtomicInteger();
    CountDownLatch ended = new CountDownLatch(1);
    Loop<String> loop =
        new Loop<>(
            crew,
            new Loop.Host<>() {
              private boolean handled;

              @Override
              public void handle(String event) {
                handled = true;
              }

              @Override
              public boolean endBatch() {
                if (handled) {
                  ends.incrementAndGet();
                  ended.countDown();
                }
                return false;
              }
            });
    loop.post("event");
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(ends).hasPositiveValue();
  }

  /** Checks order and exclusion; not thread-safe on purpose, for the loop is to make it safe. */
  private static final class Recorder implements Loop.Host<int[]> {
    private final int expected;
    private final boolean calm;
    private final int[] next = new int[4];
    private final List<String> wrong = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int handled;

    Recorder(int expected, boolean calm) {
      this.expected = expected;
      this.calm = calm;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // the loop is the only writer
    public void handle(int[] event) {
      if (inside.incrementAndGet() != 1) {
        wrong.add("two at a time");
      }
      if (event[1] != next[event[0]]++) {
        wrong.add("caller " + event[0] + " gave " + event[1] + " too early or late");
      }
      inside.decrementAndGet();
      handled++;
      if (handled == expected) {
        done.countDown();
      }
    }

    @Override
    public boolean endBatch() {
      return calm;
    }

    void awaitAll() throws InterruptedException {
      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }

    boolean awaitHandled(int count) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (handled < count) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        Thread.onSpinWait();
      }
      return true;
    }
  }
}
