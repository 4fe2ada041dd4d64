package io.aktis.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The blocks of a file system behind one file that is mapped. Blocks are taken before the memory is
 * written, for the system ends a process that writes where there are none. Thread-safe; whoever
 * makes it closes it, when no call is under way.
 */
final class FileBlocks implements AutoCloseable {
  private static final int ZEROS_BYTES = 1 << 20;
  private static final int NONE = -1;

  private final Path file;
  private final int descriptor;

  FileBlocks(Path file) throws IOException {
    this.file = file;
    this.descriptor = NativeCalls.isLinux() ? NativeCalls.FileSpace.open(file) : NONE;
    if (NativeCalls.isLinux() && descriptor < 0) {
      throw new IOException("cannot open " + file);
    }
  }

  /**
   * Takes blocks for a part of the file that nobody writes to meanwhile; what it held may be lost.
   *
   * @return false when there are not enough
   */
  boolean reserve(long offset, long bytes) {
    if (descriptor >= 0) {
      int error = NativeCalls.FileSpace.reserve(descriptor, offset, bytes);
      if (error != NativeCalls.FileSpace.NOT_SUPPORTED) {
        return error == 0;
      }
    }
    return writeZeros(offset, bytes);
  }

  /** Gives the blocks of a part of the file back; false when the system cannot do that. */
  boolean release(long offset, long bytes) {
    return descriptor >= 0 && NativeCalls.FileSpace.punchHole(descriptor, offset, bytes) == 0;
  }

  private boolean writeZeros(long offset, long bytes) {
    try {
      Uninterrupted.run(() -> {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
          for (long at = offset; at < offset + bytes; ) {
            zeros.clear().limit((int) Math.min(ZEROS_BYTES, offset + bytes - at));
            at += channel.write(zeros, at);
          }
        }
      });
      return true;
    } catch (IOException full) {
      return false; // no room, whatever the reason: nothing has been handed out
    }
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      NativeCalls.FileSpace.close(descriptor);
    }
  }
}
