package io.aktis.runtime.session;

import io.aktis.AktisSession;
import io.aktis.core.invariant.BrokenInvariantError;
import io.aktis.core.lease.LeaseStatus;
import java.util.ArrayList;
import java.util.List;

/**
 * A look inside an embedded session, and a way to break its virtual nodes: for tests of programs
 * and of the engine itself. Thread-safe.
 */
public final class EmbeddedInspector {
  private final Session session;
  private final OwnerKernel kernel;

  private EmbeddedInspector(Session session, OwnerKernel kernel) {
    this.session = session;
    this.kernel = kernel;
  }

  /**
   * Returns the inspector of a session.
   *
   * @throws IllegalArgumentException when it is not an embedded one
   */
  public static EmbeddedInspector of(AktisSession session) {
    if (session instanceof Session embedded && embedded.kernel() instanceof OwnerKernel kernel) {
      return new EmbeddedInspector(embedded, kernel);
    }
    throw new IllegalArgumentException("not an embedded session: " + session);
  }

  /**
   * Returns what is wrong inside, in words: machines in states that they must not have, resources
   * that do not add up, leases that nobody knows. Empty when all is well.
   */
  public List<String> problems() {
    Throwable broken = kernel.broken();
    if (broken != null) {
      return List.of("the engine has stopped: " + broken);
    }
    return session.isClosed() ? List.of() : kernel.ask(this::problemsNow);
  }

  private List<String> problemsNow() {
    List<String> problems = new ArrayList<>();
    check(problems, () -> kernel.owner().validate());
    check(problems, () -> kernel.groups().validate());
    for (VirtualNode node : nodes()) {
      if (node.isAlive()) {
        check(problems, () -> node.ledger().validate());
        unknownLeases(problems, node);
      }
    }
    return problems;
  }

  private List<LocalNode> locals() {
    return kernel.nodes().stream()
        .filter(LocalNode.class::isInstance)
        .map(LocalNode.class::cast)
        .toList();
  }

  private List<VirtualNode> nodes() {
    return locals().stream().map(LocalNode::virtual).toList();
  }

  private static void check(List<String> problems, Runnable validation) {
    try {
      validation.run();
    } catch (BrokenInvariantError e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }

  private static void unknownLeases(List<String> problems, VirtualNode node) {
    for (LeaseStatus lease : node.ledger().leases()) {
      if (!node.leases().containsKey(lease.id())) {
        problems.add(node + " holds " + lease + ", which nobody uses");
      }
    }
  }

  /** Returns the bytes in the object stores that readers hold at this moment. */
  public long pinnedBytes() {
    return nodes().stream().mapToLong(node -> node.store().stats().pinnedBytes()).sum();
  }

  /** Returns the bytes of the object stores that are in use. */
  public long storeUsedBytes() {
    return nodes().stream().mapToLong(node -> node.store().stats().usedBytes()).sum();
  }

  /**
   * Loses a virtual node as if its machine were gone: what runs there is interrupted and its result
   * ignored, the values in its store are lost. Returns when the engine has noticed.
   *
   * @param nodeId id as {@code NodeInfo.id} shows it
   * @throws IllegalArgumentException when there is no such node
   */
  public void killNode(String nodeId) {
    for (LocalNode local : locals()) {
      if (local.id().toString().equals(nodeId)) {
        kernel.ask(() -> {
          kernel.killNode(local);
          return null;
        });
        return;
      }
    }
    throw new IllegalArgumentException("there is no node '" + nodeId + "'; there are " + nodes());
  }
}
