/**
 * Tables of Apache Arrow as bytes, and back: the only package that knows Arrow.
 *
 * <p>Its classes are never loaded as a part of the engine. Arrow is a library of the program, in
 * its version, so each Arrow that is met gets these classes once more, defined beside it by {@code
 * io.aktis.wire.value}, which speaks to them through {@link io.aktis.wire.value.TableForm}.
 * Programs without Arrow never load any of them.
 */
@NullMarked
package io.aktis.wire.arrow;

import org.jspecify.annotations.NullMarked;
