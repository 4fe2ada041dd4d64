package io.aktis.cluster.code;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Tells versions of a file apart without reading it. Immutable.
 *
 * @param sizeBytes its size
 * @param modified when it was written
 * @param fileKey which file it is, where the file system tells: a build may replace a file by
 *     another one of the same size and time
 */
record FileStamp(long sizeBytes, FileTime modified, @Nullable Object fileKey) {
  static FileStamp of(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    return new FileStamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
  }
}
