/** The object store of a node, used from other processes. */
@NullMarked
package io.aktis.cluster.store;

import org.jspecify.annotations.NullMarked;
