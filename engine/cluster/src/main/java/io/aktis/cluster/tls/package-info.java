/** Mutual TLS between all processes of a cluster: the files, the checks, and a CA to make them. */
@NullMarked
package io.aktis.cluster.tls;

import org.jspecify.annotations.NullMarked;
