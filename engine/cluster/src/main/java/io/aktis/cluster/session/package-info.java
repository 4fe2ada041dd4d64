/** What a cluster leaves on a machine so that its owner can find it, and how a node is started. */
@NullMarked
package io.aktis.cluster.session;

import org.jspecify.annotations.NullMarked;
