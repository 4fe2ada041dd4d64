/** Which nodes there are, and which of them can be the head. */
@NullMarked
package io.aktis.cluster.membership;

import org.jspecify.annotations.NullMarked;
