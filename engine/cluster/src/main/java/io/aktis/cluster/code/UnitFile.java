package io.aktis.cluster.code;

import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of a unit, on the side of the driver. Thread-safe. */
sealed interface UnitFile {
  /** What the unit says about it. */
  CodeFile described();

  /**
   * Opens its bytes.
   *
   * @throws CodeException when they are not those any more that the unit names
   */
  InputStream open() throws IOException;

  /** A jar of the class path, which stays where it is. */
  record OnDisk(CodeFile described, Path file, FileStamp stamp) implements UnitFile {
    @Override
    public InputStream open() throws IOException {
      if (!Files.exists(file) || !FileStamp.of(file).equals(stamp)) {
        throw new CodeException(
            CodeException.Reason.CHANGED,
            file
                + " was changed or removed after the session was opened; open a new session to"
                + " run the new code");
      }
      return Files.newInputStream(file);
    }
  }

  /** A jar that was packed. */
  record Packed(CodeFile described, MemorySegment bytes) implements UnitFile {
    @Override
    public InputStream open() {
      return new SegmentStream(bytes);
    }
  }

  /** Reads memory; confined to one thread. */
  final class SegmentStream extends InputStream {
    private final MemorySegment bytes;
    private long position;

    private SegmentStream(MemorySegment bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return position == bytes.byteSize()
          ? -1
          : bytes.get(ValueLayout.JAVA_BYTE, position++) & 0xFF;
    }

    @Override
    public int read(byte[] target, int start, int length) {
      if (length == 0) {
        return 0;
      }
      int count = (int) Math.min(length, bytes.byteSize() - position);
      if (count == 0) {
        return -1;
      }
      MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, position, target, start, count);
      position += count;
      return count;
    }
  }
}
