package io.aktis.core.lease;

import io.aktis.core.id.BundleId;
import io.aktis.core.resource.Demand;
import org.jspecify.annotations.Nullable;

/**
 * An owner that was refused for lack of free resources: one entry for each shape of its work.
 *
 * @param owner the owner
 * @param demand the shape
 * @param bundle where in a placement group, or null
 * @param sinceMs when it was first refused
 */
public record Hungry(long owner, Demand demand, @Nullable BundleId bundle, long sinceMs) {}
