/**
 * The programming interface of Aktis: remote tasks, stateful actors and shared immutable values.
 *
 * <p>Start with {@link io.aktis.Aktis}. This module has no dependencies; an engine such as {@code
 * aktis-runtime} must be on the class path when a program runs.
 */
@NullMarked
package io.aktis;

import org.jspecify.annotations.NullMarked;
