package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.resource.Demand;
import org.jspecify.annotations.Nullable;

/**
 * An owner asks a node for the right to run work of one shape there.
 *
 * @param id the lease to be; its {@link LeaseId#owner()} is who asks
 * @param demand what the work needs
 * @param bundle where in a placement group it runs, or null outside of groups
 */
public record LeaseRequest(LeaseId id, Demand demand, @Nullable BundleId bundle) {}
