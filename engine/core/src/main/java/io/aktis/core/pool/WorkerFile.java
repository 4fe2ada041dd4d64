package io.aktis.core.pool;

/**
 * A file that a worker process is made with: code on its class path, or an archive.
 *
 * @param name its name, for people
 * @param sha256 the hash of its bytes, in lower-case hexadecimal
 * @param sizeBytes its size
 */
public record WorkerFile(String name, String sha256, long sizeBytes) {}
