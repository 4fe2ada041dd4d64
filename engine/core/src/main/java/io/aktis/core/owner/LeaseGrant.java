package io.aktis.core.owner;

import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import java.util.List;

/**
 * What a worker knows of the lease that it works on.
 *
 * @param id the lease
 * @param node the node
 * @param gpuIds devices for its work
 */
public record LeaseGrant(LeaseId id, NodeId node, List<String> gpuIds) {}
