/** The resources of one node: who holds what, who waits, and what is set aside for groups. */
@NullMarked
package io.aktis.core.lease;

import org.jspecify.annotations.NullMarked;
