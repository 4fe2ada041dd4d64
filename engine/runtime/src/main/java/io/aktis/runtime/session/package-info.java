/**
 * The engine in one JVM: the machines of {@code io.aktis.core} with ports in memory, virtual nodes,
 * and the threads that run user code.
 */
@NullMarked
package io.aktis.runtime.session;

import org.jspecify.annotations.NullMarked;
