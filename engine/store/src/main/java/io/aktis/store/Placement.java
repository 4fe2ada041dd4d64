package io.aktis.store;

/**
 * Where the bytes of an object are for a process that maps files. Immutable.
 *
 * @param overflowFile the file of its own that holds the object alone; empty when it is in the
 *     memory of the store
 * @param offset where it begins in that file or memory
 * @param sizeBytes its size
 */
public record Placement(String overflowFile, long offset, long sizeBytes) {
  static Placement of(Entry entry) {
    long sizeBytes = entry.segment.byteSize();
    if (entry.extent != null) {
      return new Placement("", entry.extent.offset, sizeBytes);
    }
    String file = entry.overflow == null ? "" : entry.overflow.file().path.toString();
    return new Placement(file, 0, sizeBytes);
  }
}
