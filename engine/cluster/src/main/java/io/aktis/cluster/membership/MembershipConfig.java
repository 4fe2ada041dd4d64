package io.aktis.cluster.membership;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.id.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a node needs to know to become a member. Immutable.
 *
 * @param id of this life of the daemon; never one that was used before
 * @param session the session of the cluster; may be empty where {@code seeds} is, which makes a new
 *     one
 * @param token the secret of the cluster
 * @param address host and port of the services of this node, as the others are told
 * @param controlHost the host name or address that the members talk to this node at, and the only
 *     one that it listens on; all must spell it like this
 * @param controlPort the port of it, 0 for any that is free
 * @param seeds control addresses of members, {@code host:port}, in any order; empty makes a new
 *     cluster
 * @param machineId equal for nodes that can map each other's memory, and only for those
 * @param candidate whether this node can be the head
 * @param joinTimeout how long joining may take
 * @param onDowned called at most once, on a thread of its own, when the others have removed this
 *     node or its part ended by a fatal error; the daemon must end itself, since the others have
 *     given its work to somebody else. Not called for {@link Membership#close()}.
 * @param tls when there, all members must use TLS and have a certificate of the same CA
 */
public record MembershipConfig(
    NodeId id,
    String session,
    String token,
    String address,
    String controlHost,
    int controlPort,
    List<String> seeds,
    String machineId,
    boolean candidate,
    Duration joinTimeout,
    Runnable onDowned,
    Optional<ClusterTls> tls) {

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException for one that makes no sense; the message names it
   */
  public MembershipConfig {
    seeds = List.copyOf(seeds);
    seeds.forEach(seed -> HostPort.parse("a seed", seed));
    HostPort.parse("the address of the services", address);
    if (session.isEmpty() && !seeds.isEmpty()) {
      throw new IllegalArgumentException("who joins a cluster must know its session; it is empty");
    }
    if (controlHost.isBlank()) {
      throw new IllegalArgumentException("the control host must not be empty");
    }
    if (controlPort < 0 || controlPort > HostPort.MAX_PORT) {
      throw new IllegalArgumentException(
          "the control port must be 0 to " + HostPort.MAX_PORT + ", not " + controlPort);
    }
    if (seeds.contains(HostPort.join(controlHost, controlPort))) {
      throw new IllegalArgumentException(
          controlHost + ":" + controlPort + " is this node; a seed must be another one");
    }
    if (!joinTimeout.isPositive()) {
      throw new IllegalArgumentException(
          "the join timeout must be more than nothing, not " + joinTimeout);
    }
  }

  /** Returns the same with TLS. */
  public MembershipConfig withTls(ClusterTls use) {
    return new MembershipConfig(
        id,
        session,
        token,
        address,
        controlHost,
        controlPort,
        seeds,
        machineId,
        candidate,
        joinTimeout,
        onDowned,
        Optional.of(use));
  }

  Membership.Member self() {
    return new Membership.Member(id, address, machineId, candidate);
  }

  @Override
  public String toString() {
    // The token is a secret.
    return "MembershipConfig[" + self() + ", session " + session + ", seeds " + seeds + "]";
  }
}
