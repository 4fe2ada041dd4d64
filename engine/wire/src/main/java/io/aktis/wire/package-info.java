/** Messages and user values as bytes, and back. */
@NullMarked
package io.aktis.wire;

import org.jspecify.annotations.NullMarked;
