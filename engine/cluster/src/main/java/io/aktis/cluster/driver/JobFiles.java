package io.aktis.cluster.driver;

import io.aktis.RuntimeEnv;
import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.runtime.port.EnvironmentFiles;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** What a driver sends to nodes: the code of the program, and the files of environments. */
final class JobFiles implements AutoCloseable {
  private final CompletableFuture<CodeUnitScan> code = new CompletableFuture<>();
  private final Environments environments = new Environments();

  /**
   * The runtime environment of the session.
   *
   * @param environment as it was written
   * @param files its files
   */
  record Base(RuntimeEnv environment, EnvironmentFiles files) {}

  private JobFiles() {}

  /**
   * Begins to read the class path of this program, on a thread of its own: its files are hashed,
   * and what connects to the cluster can be loaded in the meantime.
   */
  static JobFiles ofThisProgram() {
    JobFiles files = new JobFiles();
    Thread.ofPlatform().daemon().name("aktis-code-scan").start(files::scan);
    return files;
  }

  private void scan() {
    try {
      code.complete(CodeUnitScan.ofThisProgram()); // the thread has the loader of its maker
    } catch (IOException e) {
      code.completeExceptionally(
          new IllegalStateException(
              "the classes of this program cannot be read, so no worker could run them: "
                  + e.getMessage(),
              e));
    } catch (RuntimeException | Error e) {
      code.completeExceptionally(e);
    }
  }

  /**
   * Waits until the class path is read.
   *
   * @throws IllegalStateException when it cannot be read
   */
  void awaitCode() throws InterruptedException {
    try {
      code.get();
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case RuntimeException failure -> failure;
        case Error error -> throw error;
        case null, default -> new IllegalStateException(e);
      };
    }
  }

  /** Does something when the class path is read, which may be now; not when it cannot be read. */
  void whenCode(Runnable action) {
    CompletableFuture<?> _ = code.thenRun(action);
  }

  /** Returns the code of the program; only when it is read. */
  CodeUnitScan code() {
    return code.resultNow();
  }

  Environments environments() {
    return environments;
  }

  /**
   * Reads the environment of the session; may wait.
   *
   * @throws io.aktis.RuntimeEnvException when a file is not there or cannot be sent
   */
  Base base(RuntimeEnv environment) {
    return new Base(environment, environments.find(environment).files());
  }

  /** Lets all go that was packed, now or when it is. Idempotent. */
  @Override
  public void close() {
    environments.close();
    CompletableFuture<?> _ = code.thenAccept(CodeUnitScan::close);
  }
}
