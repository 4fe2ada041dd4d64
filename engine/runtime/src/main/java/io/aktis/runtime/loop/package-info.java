/** Threads and their work: the crew that runs everything, the loop that hosts machines, timers. */
@NullMarked
package io.aktis.runtime.loop;

import org.jspecify.annotations.NullMarked;
