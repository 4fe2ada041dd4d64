package io.aktis.core.pool;

/**
 * A file of code that a worker process has on its class path.
 *
 * @param name its name, for people
 * @param sha256 the hash of its bytes, in lower-case hexadecimal
 * @param sizeBytes its size
 */
public record WorkerFile(String name, String sha256, long sizeBytes) {}
