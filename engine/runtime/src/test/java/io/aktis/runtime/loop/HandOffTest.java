package io.aktis.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HandOffTest {
  private static final int MANY = 3_000_000;

  /** Enough for all of them on two cores; with less than two at hand, each item takes a while. */
  private static final long MOST_SECONDS = 10;

  private final HandOff<Integer> queue = new HandOff<>();

  @Test
  void add_whenNobodyTakes_asksForATakerOnce() {
    assertThat(queue.add(1)).isTrue();
    assertThat(queue.add(2)).isFalse();
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.take()).isEqualTo(2);
    assertThat(queue.take()).isNull();
    assertThat(queue.add(3)).isFalse();
  }

  @Test
  void leave_whenSomethingHasCome_isRefused() {
    assertThat(queue.add(1)).isTrue();
    assertThat(queue.leave()).isFalse();
    assertThat(queue.take()).isEqualTo(1);
    assertThat(queue.leave()).isTrue();
    assertThat(queue.add(2)).isTrue();
  }

  /** Whoever adds waits for what he has added before he adds the next: so the taker always goes. */
  @Test
  void items_whoseTakerIsAboutToLeave_areNeverForgotten() throws InterruptedException {
    Taker taker = new Taker(queue);
    Thread thread = Thread.ofPlatform().daemon().start(taker);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    for (int item = 1; item <= MANY && System.nanoTime() < deadline; item++) {
      if (queue.add(item)) {
        taker.calls.incrementAndGet();
      }
      if (!taker.awaitTaken(item)) {
        throw new AssertionError("item " + item + " is in the queue, and nobody takes it");
      }
    }
    taker.ends = true;
    thread.join(10_000);
    assertThat(thread.isAlive()).isFalse();
  }

  /** Takes whenever it is called. */
  private static final class Taker implements Runnable {
    private final HandOff<Integer> queue;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile int taken;
    private volatile boolean ends;

    Taker(HandOff<Integer> queue) {
      this.queue = queue;
    }

    @Override
    public void run() {
      int answered = 0;
      while (!ends) {
        if (answered == calls.get()) {
          Thread.onSpinWait();
          continue;
        }
        answered++;
        do {
          for (Integer item = queue.take(); item != null; item = queue.take()) {
            taken = item;
          }
        } while (!queue.leave());
      }
    }

    boolean awaitTaken(int item) {
      long deadline = 0;
      for (long looks = 1; taken < item; looks++) {
        Thread.onSpinWait();
        if (looks % 100_000 == 0) {
          long now = System.nanoTime();
          deadline = deadline == 0 ? now + TimeUnit.SECONDS.toNanos(20) : deadline;
          if (now > deadline) {
            return false;
          }
        }
      }
      return true;
    }
  }
}
