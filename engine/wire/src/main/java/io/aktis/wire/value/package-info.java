/**
 * User values as bytes, and back.
 *
 * <p>{@link io.aktis.wire.value.ValueCodec} is the door: it tells which values may be shared,
 * copies the others, encodes and decodes them, and refuses what has no meaning elsewhere with the
 * path of the field that is the cause. {@link io.aktis.wire.value.Encoded} draws the bytes.
 */
@NullMarked
package io.aktis.wire.value;

import org.jspecify.annotations.NullMarked;
