/** A whole cluster of machines in one thread, driven and disturbed from a seed. */
@NullMarked
package io.aktis.simulation;

import org.jspecify.annotations.NullMarked;
