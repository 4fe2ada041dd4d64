package io.aktis.cluster.session;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.wire.message.NodeStatus;
import io.aktis.wire.message.StatusReply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the head of a cluster by asking its nodes, also when it is another one than a moment ago.
 * Looking waits and is confined to one thread at a time; learning may be done by another one.
 */
final class HeadFinder {
  private static final Logger LOG = LoggerFactory.getLogger(HeadFinder.class);

  private final ClusterAccess any;

  /** Host and port of nodes that may know the head. */
  private final Set<String> known = new ConcurrentSkipListSet<>();

  private String problem = "";
  private boolean hopeful;

  /**
   * Makes one.
   *
   * @param any a node of the cluster
   */
  HeadFinder(ClusterAccess any) {
    this.any = any;
    known.add(any.address().toString());
  }

  /**
   * A head that serves.
   *
   * @param access how to reach it
   * @param sessionId the session of its cluster
   */
  record Head(ClusterAccess access, String sessionId) {}

  /** Asks a node for the others, who are asked when it is gone. Any thread. */
  void learnFrom(String address) {
    try (ClusterClient client = ClusterClient.open(at(address))) {
      client.status(false).getNodesList().stream()
          .filter(NodeStatus::getAlive)
          .forEach(node -> known.add(node.getAddress()));
    } catch (IllegalStateException e) {
      LOG.debug("{} does not tell of the other nodes: {}", address, e.getMessage());
    }
  }

  /** Asks all nodes that are known, until one knows a head that serves. */
  Optional<Head> look() {
    hopeful = false;
    problem = "";
    for (String address : List.copyOf(known)) {
      Optional<Head> found = ask(address);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  /** Returns why the last look has found nobody, in words. */
  String problem() {
    return problem;
  }

  /** Returns whether it may help to look again: somebody is the head, and does not answer yet. */
  boolean isHopeful() {
    return hopeful;
  }

  private Optional<Head> ask(String address) {
    try {
      StatusReply status = status(address);
      String head = status.getHeadAddress();
      if (status.getEpoch() > 0) {
        return Optional.of(new Head(at(address), status.getSessionId()));
      }
      if (head.isEmpty()) {
        failed("the cluster of " + any + " has no head now, and jobs are with the head");
        return Optional.empty();
      }
      hopeful = true;
      known.add(head);
      StatusReply own = status(head);
      if (own.getEpoch() > 0) {
        return Optional.of(new Head(at(head), own.getSessionId()));
      }
      failed("the node at " + head + " is to be the head and does not serve as that yet");
    } catch (IllegalStateException e) {
      failed(String.valueOf(e.getMessage()));
    }
    return Optional.empty();
  }

  private void failed(String why) {
    problem = problem.isEmpty() ? why : problem;
  }

  private ClusterAccess at(String address) {
    return new ClusterAccess(
        HostPort.parse("the address of the head", address), any.token(), any.tls());
  }

  private StatusReply status(String address) {
    try (ClusterClient client = ClusterClient.open(at(address))) {
      return client.status(true);
    }
  }
}
