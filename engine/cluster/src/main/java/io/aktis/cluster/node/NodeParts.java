package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What a node daemon is composed of besides itself.
 *
 * @param store its object store; closed by who made it, after the daemon
 * @param code its cache of code
 * @param joining how it becomes a member of its cluster
 * @param head what it has for being the head; empty when it cannot be that
 * @param services what its port offers besides; methods of {@code aktis.v1.Node} and {@code
 *     aktis.v1.Control} that the daemon does not have itself are added to its own
 */
public record NodeParts(
    NodeStore store,
    NodeCode code,
    Joining joining,
    Optional<HeadParts> head,
    List<ServerServiceDefinition> services) {
  /** Copies what is given. */
  public NodeParts {
    services = List.copyOf(services);
  }

  /** Makes a node a member of its cluster, once its port is open. */
  public interface Joining {
    /**
     * Joins; may wait.
     *
     * @param self the node, with the address that others reach it at
     * @return the membership, which the daemon closes
     * @throws IOException when that cannot be done, with the reason
     */
    Membership join(Membership.Member self) throws IOException;
  }
}
