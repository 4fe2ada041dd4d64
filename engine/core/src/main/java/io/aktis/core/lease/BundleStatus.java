package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.resource.Resources;

/**
 * A bundle on a node, as the node tells it.
 *
 * @param id the bundle
 * @param attempt the attempt that brought it here
 * @param committed whether work may run in it
 * @param total what is set aside
 * @param available what of it is not leased
 */
public record BundleStatus(
    BundleId id, int attempt, boolean committed, Resources total, Resources available) {}
