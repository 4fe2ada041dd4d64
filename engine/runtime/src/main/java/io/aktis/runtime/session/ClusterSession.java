package io.aktis.runtime.session;

import io.aktis.AktisSession;
import io.aktis.SessionOptions;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.runtime.port.NodeLink;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeToOwner;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The session of a driver that uses a cluster: it owns the work, and daemons and workers carry it
 * out. Whoever connects it tells it of nodes; all methods are thread-safe and may be called by the
 * threads that bring messages in.
 */
public final class ClusterSession {
  private final Session session;
  private final OwnerKernel kernel;
  private final NodeDesk desk;
  private final Map<NodeId, RemoteNode> nodes = new ConcurrentHashMap<>();

  private ClusterSession(Session session, ClusterPort port) {
    this.session = session;
    this.kernel = (OwnerKernel) session.kernel();
    this.desk = new NodeDesk(kernel, port);
    kernel.cluster(desk, new OtherJobs(kernel, port));
  }

  /** Returns a random number for the owner half of all ids of a job. */
  public static long newOwnerNumber() {
    return KernelParts.newOwnerNumber();
  }

  /**
   * Opens a session without nodes.
   *
   * @param options what the program asked for
   * @param sessionId id of the session, for people
   * @param ownerNumber the owner half of all ids of the job, from {@link #newOwnerNumber}
   * @param port reaches the processes of the cluster
   */
  public static ClusterSession open(
      SessionOptions options, String sessionId, long ownerNumber, ClusterPort port) {
    KernelParts parts = new KernelParts(sessionId, ownerNumber, options, Map.of(), port);
    return new ClusterSession(Session.start(parts), port);
  }

  /** Returns the session as programs use it. */
  public AktisSession session() {
    return session;
  }

  /** A node is there, and can be asked for leases. */
  public void nodeUp(NodeHello hello, NodeLink link) {
    RemoteNode node = new RemoteNode(kernel, hello, link);
    nodes.put(node.id(), node);
    kernel.runOnLoop(() -> {
      kernel.addNode(node);
      kernel.otherJobs().nodeUp(node, hello.getHeadEpoch());
      kernel.resourcesFreed(false);
    });
  }

  /** Waits until all that was said before is taken note of. Not on the session's own threads. */
  public void awaitHandled() {
    kernel.awaitHandled();
  }

  /** A node says something; in the order in which it does. */
  public void received(NodeId id, NodeToOwner message) {
    RemoteNode node = nodes.get(id);
    if (node != null) {
      kernel.runOnLoop(() -> desk.received(node, message));
    }
  }

  /**
   * A node is gone, or out of reach: what was there is lost. It may be told of anew.
   *
   * @param reason what happened, in words
   */
  public void nodeGone(NodeId id, String reason) {
    RemoteNode node = nodes.remove(id);
    if (node != null) {
      kernel.runOnLoop(() -> desk.nodeGone(node, reason));
    }
  }

  // ---- sessions that own the actors of others ---------------------------------------------------

  /**
   * A session makes and owns the detached actors and groups of another job from now on, which is
   * told so.
   *
   * @param session one of a cluster
   * @param creator the owner number of that job
   */
  public static void keepActorsOf(AktisSession session, long creator) {
    OwnerKernel kernel = kernel(session);
    kernel.onLoop(() -> kernel.otherJobs().keepFor(creator));
  }

  /** Tells whether any actor or placement group of a session lives. */
  public static boolean keepsAnything(AktisSession session) {
    OwnerKernel kernel = kernel(session);
    return kernel.ask(() -> !kernel.directory().all().isEmpty() || kernel.groups().any());
  }

  /** Tells whether any other job has asked a session to make something, which may have failed. */
  public static boolean wasAsked(AktisSession session) {
    return kernel(session).otherJobs().isAsked();
  }

  private static OwnerKernel kernel(AktisSession session) {
    if (session instanceof Session own && own.kernel() instanceof OwnerKernel kernel) {
      return kernel;
    }
    throw new IllegalArgumentException(session + " is no session of a program");
  }
}
