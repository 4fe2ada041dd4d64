package io.aktis.testkit;

import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.session.NodeDirectory;
import io.aktis.cluster.session.NodeLauncher;
import io.aktis.cluster.session.NodeLauncher.Started;
import io.aktis.cluster.session.NodeRequest;
import io.aktis.cluster.session.NodeStopper;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs nodes on the machine that this process runs on. Thread-safe. */
final class ThisMachine implements NodeHosts {
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Much of it is never touched, and costs nothing. */
  private static final long DEFAULT_STORE_BYTES = 1L << 30;

  private final Network network;

  /**
   * What nodes are told about the network.
   *
   * @param host where they listen; {@code null} for the loopback address
   * @param tokenFile {@code null} for the token of the clusters of this process
   * @param tlsDir {@code null} for no TLS
   */
  record Network(@Nullable String host, @Nullable Path tokenFile, @Nullable Path tlsDir) {}

  ThisMachine(Network network) {
    this.network = network;
  }

  /** Nodes listen on the loopback address. */
  static ThisMachine loopback(TestHome home) {
    return new ThisMachine(new Network(null, null, home.tlsDir().orElse(null)));
  }

  @Override
  public String boardHost() {
    return InetAddress.getLoopbackAddress().getHostAddress();
  }

  @Override
  public Running start(Wanted node) {
    try {
      // A daemon of a test lives for minutes, and shares its processors with many processes.
      Started started =
          new NodeLauncher(EngineClassPath.ofThisProcess(), List.of("-XX:TieredStopAtLevel=1"))
              .start(request(node));
      return new Running(
          started.ready().nodeId(),
          started.ready().address(),
          started.process().toHandle(),
          started.directory());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a node starts", e);
    }
  }

  private NodeRequest request(Wanted node) {
    NodeShape shape = node.shape();
    return new NodeRequest(
        node.join(),
        new NodeRequest.Listen(network.host(), null, 0, 0, 0),
        new NodeRequest.Amounts(
            shape.cpus(),
            shape.gpus(),
            shape.memoryBytes() == 0 ? null : shape.memoryBytes(),
            shape.resources(),
            shape.labels(),
            shape.objectStoreBytes() == 0 ? DEFAULT_STORE_BYTES : shape.objectStoreBytes()),
        new NodeRequest.Files(
            null, null, network.tokenFile(), network.tlsDir(), node.workerOptions()),
        node.join().isEmpty() ? ControlPlace.parse(ControlPlace.MEMORY) : null);
  }

  @Override
  public void stop(List<Running> nodes) {
    stopAt(nodes.stream().map(Running::directory).toList());
  }

  /** Ends the nodes that have these directories. */
  void stopAt(List<NodeDirectory> nodes) {
    try {
      new NodeStopper(GRACE).stop(nodes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while nodes end", e);
    }
  }
}
