/** The shell around the machines of {@code io.aktis.core}: it carries their effects out. */
@NullMarked
package io.aktis.runtime;

import org.jspecify.annotations.NullMarked;
