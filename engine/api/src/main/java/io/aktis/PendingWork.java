package io.aktis;

/**
 * Work that waits for resources.
 *
 * @param demand what it asks for, in words
 * @param count how many tasks of this shape wait
 * @param reason why none of them can start now
 */
public record PendingWork(String demand, int count, String reason) {}
