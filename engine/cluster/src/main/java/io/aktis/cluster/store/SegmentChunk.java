package io.aktis.cluster.store;

import java.lang.foreign.MemorySegment;

/**
 * A {@link io.aktis.wire.message.Chunk} whose bytes are where the object lies. Immutable; valid for
 * as long as the object is pinned.
 *
 * @param totalBytes size of the whole object
 * @param data the bytes of this part
 */
record SegmentChunk(long totalBytes, MemorySegment data) {}
