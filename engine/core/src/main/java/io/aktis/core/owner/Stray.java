package io.aktis.core.owner;

/**
 * A copy of a result that an attempt stored which counts no more.
 *
 * @param object the result
 * @param copy where it lies
 */
record Stray(OwnedObject object, Outcome.Stored copy) {}
