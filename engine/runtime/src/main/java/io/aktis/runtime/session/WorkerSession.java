package io.aktis.runtime.session;

import io.aktis.AktisSession;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.wire.message.OwnerHello;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.WorkerToOwner;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The session of a worker process: runs what the owner sends, and gives code there the same
 * interface that the program has. Thread-safe, but messages come one call at a time.
 */
public final class WorkerSession implements AutoCloseable {
  private final Session session;
  private final WorkerKernel kernel;

  private WorkerSession(Session session) {
    this.session = session;
    this.kernel = (WorkerKernel) session.kernel();
  }

  /**
   * What a worker process is.
   *
   * @param workerId its id
   * @param at its node
   * @param store the store of that node
   * @param labels the labels of the node
   * @param loader finds the classes of the job
   * @param journal notes the number of each attempt before it starts, where it outlives the process
   */
  public record Home(
      String workerId,
      Location at,
      StorePort store,
      Map<String, String> labels,
      ClassLoader loader,
      LongConsumer journal) {}

  /**
   * Begins to serve an owner.
   *
   * @param hello what the owner says of the job
   * @param home what this process is
   * @param toOwner sends messages to the owner, in order; never waits
   */
  public static WorkerSession start(OwnerHello hello, Home home, Consumer<WorkerToOwner> toOwner) {
    WorkerParts parts =
        new WorkerParts(
            hello,
            new Place(home.at(), home.store()),
            new TreeMap<>(home.labels()),
            home.workerId(),
            home.loader(),
            toOwner,
            home.journal());
    return new WorkerSession(Session.ofWorker(hello.getNamespace(), parts));
  }

  /** Returns the session as code sees it. */
  public AktisSession session() {
    return session;
  }

  /** Handles messages of the owner that came together. */
  public void received(List<OwnerToWorker> messages) {
    kernel.desk().received(messages);
  }

  /**
   * The owner is gone: ends all work. Code that ignores its interrupt goes on until the JVM ends.
   */
  @Override
  public void close() {
    session.close();
  }
}
