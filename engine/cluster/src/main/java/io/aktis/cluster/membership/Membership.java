package io.aktis.cluster.membership;

import io.aktis.core.id.NodeId;
import java.util.List;

/** The nodes of the cluster as one of them sees them. Thread-safe. */
public interface Membership extends AutoCloseable {
  /** Returns the nodes that are there, this one among them, in the order of their age. */
  List<Member> members();

  /**
   * Tells a listener of all that are there, and then of every change; in order, one at a time.
   * Listeners must be quick and not throw.
   */
  void listen(Listener listener);

  /** Returns host and port that nodes which join are to be given; empty when none can join. */
  String controlAddress();

  /** Leaves the cluster, so that the others need not find out. Idempotent. */
  @Override
  void close();

  /**
   * A node.
   *
   * @param id its id, new in each life of its daemon
   * @param address host and port of its services
   * @param machineId equal for nodes that can map each other's memory
   * @param candidate whether it can be the head of the cluster; the oldest one of them is to be it
   */
  record Member(NodeId id, String address, String machineId, boolean candidate) {}

  /** Hears of changes. */
  interface Listener {
    /** A node has come. */
    void up(Member member);

    /** A node is gone for good; nothing of it can still be running as far as this can be known. */
    void gone(Member member);

    /** The order of the members is another one, and they are the same. */
    default void ordered() {}
  }
}
