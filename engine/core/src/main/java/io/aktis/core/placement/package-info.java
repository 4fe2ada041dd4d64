/** Placement groups: bundles of resources that are set aside on nodes together. */
@NullMarked
package io.aktis.core.placement;

import org.jspecify.annotations.NullMarked;
