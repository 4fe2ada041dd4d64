package io.aktis.store;

import java.nio.file.Path;

/**
 * One file of a spill directory, for one large object or several small ones behind each other:
 *
 * <pre>
 *  0            size of a       size of a + size of b
 *  |  object a  |    object b   |  object c  |
 * </pre>
 *
 * It goes when none of its objects needs it. Its changing field is guarded by its {@link Spill}.
 */
final class SpillFile {
  final Spill spill;
  final Path path;
  final long bytes;

  /** Objects that need the file, and those that are mapped there. */
  int objects;

  SpillFile(Spill spill, Path path, long bytes, int objects) {
    this.spill = spill;
    this.path = path;
    this.bytes = bytes;
    this.objects = objects;
  }
}
