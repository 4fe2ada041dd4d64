package io.aktis.core.placement;

import io.aktis.core.id.NodeId;

/**
 * Where a bundle lies.
 *
 * @param node the node
 * @param attempt the attempt that brought it there
 */
public record BundlePlace(NodeId node, int attempt) {}
