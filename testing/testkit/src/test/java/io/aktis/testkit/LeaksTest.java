package io.aktis.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LeaksTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  @TempDir Path folder;

  @Test
  void awaitNone_threadOfTheEngineIsLeft_namesItUntilItIsGone() throws InterruptedException {
    Leaks leaks = Leaks.since();
    CountDownLatch end = new CountDownLatch(1);
    Thread left = Thread.ofPlatform().name("aktis-left").start(() -> awaitQuietly(end));

    assertThatThrownBy(() -> leaks.awaitNone(SHORT))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("aktis-left");
    end.countDown();
    left.join();
    leaks.awaitNone(SHORT);
  }

  @Test
  void awaitNone_threadOfSomebodyElse_isNoMatter() throws InterruptedException {
    Leaks leaks = Leaks.since();
    CountDownLatch end = new CountDownLatch(1);
    Thread other = Thread.ofPlatform().name("other").start(() -> awaitQuietly(end));

    leaks.awaitNone(SHORT);
    end.countDown();
    other.join();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void awaitNone_fileIsLeftOpen_namesIt() throws IOException {
    Path file = Files.createFile(folder.resolve("left.txt"));
    Leaks leaks = Leaks.since();

    try (InputStream in = Files.newInputStream(file)) {
      assertThat(in).isNotNull();
      assertThatThrownBy(() -> leaks.awaitNone(SHORT)).hasMessageContaining("left.txt");
    }
    leaks.awaitNone(SHORT);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
