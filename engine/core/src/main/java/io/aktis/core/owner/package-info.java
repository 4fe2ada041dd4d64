/** What one process owns: its tasks, actors, leases and objects, and every decision about them. */
@NullMarked
package io.aktis.core.owner;

import org.jspecify.annotations.NullMarked;
