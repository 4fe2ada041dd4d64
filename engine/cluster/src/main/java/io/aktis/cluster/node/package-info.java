/** The node daemon: leases, worker processes, and what it tells of itself. */
@NullMarked
package io.aktis.cluster.node;

import org.jspecify.annotations.NullMarked;
