package io.aktis.cluster.session;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.wire.message.JobEntry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends nodes of this user on this machine, and deletes what they leave. Nobody else's processes are
 * touched: each is known by its number and birth, or by the node that it says it belongs to.
 * Methods wait; confined to one thread.
 */
public final class NodeStopper {
  private static final Logger LOG = LoggerFactory.getLogger(NodeStopper.class);
  private static final long MAX_TELLING_MS = 5_000;

  private final SessionDirectory directory;
  private final Duration grace;

  /**
   * Makes a stopper.
   *
   * @param grace how long a node may take to end by itself
   */
  public NodeStopper(Duration grace) {
    this.directory = SessionDirectory.open();
    this.grace = grace;
  }

  /**
   * What became of a node.
   *
   * @param node its directory, which is gone
   * @param wasRunning whether there was a process of it
   * @param killed how many processes had to be killed
   * @param problem why its daemon could not be told; empty if it could
   * @param deleted what was deleted
   */
  public record Stopped(
      NodeDirectory node, boolean wasRunning, int killed, String problem, List<Path> deleted) {}

  /**
   * Ends nodes, at the same time but for those that can be the head, which end last.
   *
   * @throws IllegalStateException when a process does not end although it was killed, or a
   *     directory cannot be deleted
   */
  public List<Stopped> stop(List<NodeDirectory> nodes) throws InterruptedException {
    List<Stopped> stopped = new ArrayList<>();
    stopped.addAll(stopTogether(nodes.stream().filter(node -> !isCandidate(node)).toList()));
    stopped.addAll(stopTogether(nodes.stream().filter(NodeStopper::isCandidate).toList()));
    stopped.sort(Comparator.comparingInt(each -> each.node().number()));
    return stopped;
  }

  /**
   * Ends the submitted jobs if the head is among those nodes, and lets it take no more. To be
   * called before {@link #stop}: drivers end before the workers that they use. Half of the grace is
   * theirs; with none they are killed with the head.
   *
   * @return the jobs that had to end
   */
  public List<JobEntry> stopJobs(List<NodeDirectory> nodes) {
    List<JobEntry> ended = new ArrayList<>();
    if (grace.isPositive()) {
      for (NodeDirectory node : nodes) {
        if (isCandidate(node) && node.daemon().isPresent() && node.ready().isPresent()) {
          ended.addAll(stopJobs(node, node.ready().get()));
        }
      }
    }
    return ended;
  }

  private List<JobEntry> stopJobs(NodeDirectory node, ReadyNode head) {
    try (JobClient client = JobClient.ofHead(access(node, head), node.sessionId())) {
      return client.stopAll(grace.dividedBy(2));
    } catch (IllegalStateException | IllegalArgumentException e) {
      // It may not be the head. Whether it can be told to stop comes out when that is tried.
      LOG.debug("the jobs of {} are not stopped: {}", node.path(), e.getMessage());
      return List.of();
    }
  }

  private static ClusterAccess access(NodeDirectory node, ReadyNode ready) {
    NodeSettings.Places places =
        node.settings()
            .map(NodeSettings::places)
            .orElseThrow(() -> new IllegalStateException("it was still starting"));
    return new ClusterAccess(
        HostPort.parse("the address of a node", ready.address()),
        SessionDirectory.readToken(places.tokenFile()),
        places.tls().map(TlsPlaces::load));
  }

  private static boolean isCandidate(NodeDirectory node) {
    return node.settings().flatMap(NodeSettings::control).isPresent();
  }

  private List<Stopped> stopTogether(List<NodeDirectory> nodes) throws InterruptedException {
    List<Stopped> stopped = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Stopped>> all = new ArrayList<>();
      nodes.forEach(node -> all.add(threads.submit(() -> stop(node))));
      for (Future<Stopped> each : all) {
        stopped.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
    }
    return stopped;
  }

  private Stopped stop(NodeDirectory node) throws InterruptedException {
    long deadlineNs = System.nanoTime() + grace.toNanos();
    NodeProcesses processes = NodeProcesses.of(node);
    boolean wasRunning = !processes.running().isEmpty();
    String problem = "";
    if (node.daemon().isPresent()) {
      problem = tell(node);
      if (!problem.isEmpty()) {
        node.daemon().ifPresent(ProcessHandle::destroy); // SIGTERM needs no connection
      }
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      processes.awaitEnd(Math.max(0, leftMs));
    }
    int killed = processes.kill();
    return new Stopped(node, wasRunning, killed, problem, directory.removeNode(node, true));
  }

  /** Tells a daemon to end; returns why that was not possible, empty if it was. */
  private String tell(NodeDirectory node) {
    Optional<ReadyNode> ready = node.ready();
    if (ready.isEmpty()) {
      return "it was still starting";
    }
    try (ClusterClient client = ClusterClient.open(access(node, ready.get()))) {
      long graceMs = grace.toMillis();
      client.stop(node.sessionId(), graceMs, Math.clamp(graceMs, 1, MAX_TELLING_MS));
      return "";
    } catch (IllegalStateException | IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
