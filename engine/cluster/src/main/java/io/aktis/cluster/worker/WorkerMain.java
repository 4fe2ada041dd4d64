package io.aktis.cluster.worker;

import io.aktis.cluster.node.WorkerSettings;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The main class of a worker process. Its one argument is a file of {@link WorkerSettings}. It
 * serves one owner until that, or the node, is gone.
 */
public final class WorkerMain {
  private WorkerMain() {}

  /** Serves; does not return. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 1) {
      throw new IllegalArgumentException("the one argument of a worker is its file of settings");
    }
    WorkerSettings settings = WorkerSettings.read(Path.of(args[0]));
    new WorkerProcess(settings).serve();
  }
}
