package io.aktis.cluster;

import io.aktis.cluster.session.NodeDirectory;
import io.aktis.cluster.session.NodeSettings;
import io.aktis.cluster.session.ProcessMark;
import io.aktis.cluster.session.ReadyNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main class of a node daemon. Its one argument is a file of {@link NodeSettings}; it tells in
 * the directory of that file when it is ready, or why it cannot start, and ends when it is told to.
 */
public final class NodeMain {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMain.class);
  private static final int CANNOT_START = 2;
  private static final int BROKEN = 3;

  private NodeMain() {}

  /** Runs a daemon until it is told to end. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("The one argument of a node daemon is its file of settings.");
      System.exit(CANNOT_START);
      return;
    }
    Path file = Path.of(args[0]);
    NodeDirectory directory = NodeDirectory.ofSettings(file);
    Node node;
    try {
      node = Node.start(NodeSettings.read(file), directory.path());
    } catch (IOException | RuntimeException e) {
      LOG.error("The node cannot start.", e);
      directory.writeFailed(String.valueOf(e.getMessage()));
      System.exit(CANNOT_START);
      return;
    }
    System.exit(serve(node, directory));
  }

  private static int serve(Node node, NodeDirectory directory) throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(node::close, "aktis-node-exit"));
    directory.writeReady(
        new ReadyNode(
            node.sessionId(),
            node.id().toString(),
            node.address(),
            node.controlAddress(),
            ProcessMark.current()));
    try {
      node.stopped().join();
      return 0;
    } catch (CompletionException e) {
      LOG.error("The node has stopped, for it is broken.", e);
      return BROKEN;
    } finally {
      node.close();
    }
  }
}
