/** One end of a connection between two processes over a network that loses and repeats. */
@NullMarked
package io.aktis.core.link;

import org.jspecify.annotations.NullMarked;
