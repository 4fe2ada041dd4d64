/**
 * Checks that stay on in production: a broken invariant is a bug of ours and stops the engine
 * loudly.
 */
@NullMarked
package io.aktis.core.invariant;

import org.jspecify.annotations.NullMarked;
