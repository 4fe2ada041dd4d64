package io.aktis.cluster.driver;

import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.cluster.code.CodeException;
import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.code.CodeUpload;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.wire.message.CodeUnit;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Brings the files of runtime environments to one node, once each. Thread-safe. */
final class EnvironmentUploads {
  /** A connection that breaks may be that of a node that is gone, which is heard of then. */
  private static final int ATTEMPTS = 4;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  private final Environments environments;
  private final RpcChannel node;
  private final Consumer<CodeUnit> hold;
  private final Map<RuntimeEnv, CompletableFuture<EnvironmentFiles>> provided = new HashMap<>();

  /**
   * Makes one.
   *
   * @param hold tells the node to keep files, those that it has and those that come
   */
  EnvironmentUploads(Environments environments, RpcChannel node, Consumer<CodeUnit> hold) {
    this.environments = environments;
    this.node = node;
    this.hold = hold;
  }

  /**
   * Brings the files of an environment to the node. Never waits; what has failed is tried again the
   * next time.
   *
   * @return completed when they are there, or exceptionally with a {@link RuntimeEnvException}
   */
  synchronized CompletableFuture<EnvironmentFiles> provide(RuntimeEnv wanted) {
    RuntimeEnv environment =
        new RuntimeEnv(Map.of(), wanted.jars(), List.of(), wanted.workingDirectory());
    CompletableFuture<EnvironmentFiles> known = provided.get(environment);
    if (known != null && !known.isCompletedExceptionally()) {
      return known;
    }
    CompletableFuture<EnvironmentFiles> coming = new CompletableFuture<>();
    provided.put(environment, coming);
    Thread.ofVirtual().name("aktis-environment").start(() -> send(environment, coming));
    return coming;
  }

  private void send(RuntimeEnv environment, CompletableFuture<EnvironmentFiles> coming) {
    try {
      Environments.Found found = environments.find(environment);
      hold.accept(CodeUnit.newBuilder().addAllFiles(found.all()).build());
      for (CodeUnitScan scan : found.scans()) {
        send(scan);
      }
      coming.complete(found.files());
    } catch (RuntimeEnvException e) {
      coming.completeExceptionally(e);
    } catch (Throwable e) { // whatever it is, who waits must hear of it
      coming.completeExceptionally(Environments.failure(e));
    }
  }

  private void send(CodeUnitScan scan) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        CodeUpload.run(node, scan);
        return;
      } catch (CodeException e) {
        boolean mayPass =
            e.reason() == CodeException.Reason.UNREACHABLE
                || e.reason() == CodeException.Reason.DAMAGED;
        if (!mayPass || attempt == ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }
}
