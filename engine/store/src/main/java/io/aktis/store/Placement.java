package io.aktis.store;

/**
 * Where the bytes of an object are for a process that maps files. Immutable.
 *
 * @param overflowFile the file on disk that holds the object; empty when it is in the memory of the
 *     store
 * @param offset where it begins in that file or memory
 * @param sizeBytes its size
 */
public record Placement(String overflowFile, long offset, long sizeBytes) {
  static Placement of(Entry entry) {
    long sizeBytes = entry.segment.byteSize();
    if (entry.extent != null) {
      return new Placement("", entry.extent.offset, sizeBytes);
    }
    if (entry.overflow == null) {
      return new Placement("", 0, sizeBytes);
    }
    SpillPlace place = entry.overflow.place();
    return new Placement(place.file().path.toString(), place.offset(), sizeBytes);
  }
}
