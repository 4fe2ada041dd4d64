package io.aktis.store;

/**
 * Where the bytes of one object lie in a spill directory. Immutable.
 *
 * @param file holds them
 * @param offset where they begin
 */
record SpillPlace(SpillFile file, long offset) {}
