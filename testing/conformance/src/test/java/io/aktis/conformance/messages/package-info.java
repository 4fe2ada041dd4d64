/**
 * The engine of a cluster in one JVM: the same messages as between processes, without the
 * processes.
 */
@NullMarked
package io.aktis.conformance.messages;

import org.jspecify.annotations.NullMarked;
