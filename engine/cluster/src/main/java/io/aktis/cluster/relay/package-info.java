/** A bad network on a good one, for rehearsals. */
@NullMarked
package io.aktis.cluster.relay;

import org.jspecify.annotations.NullMarked;
