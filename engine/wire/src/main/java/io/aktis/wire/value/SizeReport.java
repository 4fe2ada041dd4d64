package io.aktis.wire.value;

/**
 * Where the bytes of a value are.
 *
 * @param totalBytes estimate for the whole value
 * @param path way from the value to its heaviest part, step by step
 * @param heaviest name of the class of that part
 * @param heaviestBytes estimate for that part
 */
public record SizeReport(long totalBytes, String path, String heaviest, long heaviestBytes) {}
