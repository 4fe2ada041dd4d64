package io.aktis.runtime.port;

import io.aktis.core.id.NodeId;

/**
 * Where a stored object lies.
 *
 * @param node the node that has it
 * @param address host and port of the services of that node; empty when nobody else can reach it
 */
public record Location(NodeId node, String address) {}
