/** How processes talk: the methods of the protocol, servers and connections. */
@NullMarked
package io.aktis.cluster.rpc;

import org.jspecify.annotations.NullMarked;
