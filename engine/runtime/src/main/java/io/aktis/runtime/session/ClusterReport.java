package io.aktis.runtime.session;

import io.aktis.ClusterInfo;
import io.aktis.PendingWork;
import io.aktis.core.owner.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What people see of the nodes and of what waits, as it is when everything was handled that came
 * before. Confined to the thread that asks.
 */
final class ClusterReport {
  /** A node that is busy for longer than that is shown as it was heard of last. */
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final OwnerKernel kernel;

  ClusterReport(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  ClusterInfo make() {
    if (!kernel.isEmbedded()) {
      Waits waits = kernel.session().waits();
      List<CountDownLatch> reports = kernel.ask(this::askForReports);
      waits.lending(waits.currentRun(), List::of, () -> await(reports));
    }
    return kernel.ask(this::now);
  }

  private List<CountDownLatch> askForReports() {
    List<CountDownLatch> reports = new ArrayList<>();
    for (NodePort node : kernel.nodes()) {
      CountDownLatch report = new CountDownLatch(1);
      node.report(report);
      reports.add(report);
    }
    return reports;
  }

  private static void await(List<CountDownLatch> reports) throws InterruptedException {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    for (CountDownLatch report : reports) {
      if (!report.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        Log.LOG.debug("A node does not report; what is known of it is old.");
      }
    }
  }

  private ClusterInfo now() {
    List<PendingWork> pending = new ArrayList<>(kernel.groups().pending());
    for (Shape shape : kernel.owner().shapes()) {
      if (shape.queued() > 0) {
        pending.add(new PendingWork(shape.key().toString(), shape.queued(), shape.reason()));
      }
    }
    return new ClusterInfo(kernel.nodes().stream().map(NodePort::info).toList(), pending);
  }
}
