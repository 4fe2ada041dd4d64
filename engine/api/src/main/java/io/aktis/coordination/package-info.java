/**
 * Coordination between the driver, tasks and actors: a queue, permits, a signal, a barrier.
 *
 * <p>Each tool is a small value around an actor that does the waiting, on virtual threads that cost
 * little while they wait. It can be passed as an argument; it ends when the last handle is closed
 * or unreachable. Pools and groups of actors are in {@link io.aktis.ActorPool} and {@link
 * io.aktis.ActorGroup}.
 */
@NullMarked
package io.aktis.coordination;

import org.jspecify.annotations.NullMarked;
