/** The {@code aktis} command. */
@NullMarked
package io.aktis.cli;

import org.jspecify.annotations.NullMarked;
