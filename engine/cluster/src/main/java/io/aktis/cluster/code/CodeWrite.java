package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One file on its way into the cache: written beside its place, checked, and moved there. Closing
 * it before {@link #commit} leaves nothing behind. Confined to one thread.
 */
final class CodeWrite implements AutoCloseable {
  private final CodeFile file;
  private final Path path;
  private final CacheTable table;
  private final LongSupplier freeBytes;
  private final LongAdder received;
  private final OutputStream out;
  private final MessageDigest digest = Sha256.digest();
  private long writtenBytes;
  private boolean committed;

  private CodeWrite(
      CodeFile file, Path path, CacheTable table, LongSupplier freeBytes, LongAdder received)
      throws IOException {
    this.file = file;
    this.path = path;
    this.table = table;
    this.freeBytes = freeBytes;
    this.received = received;
    this.out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW);
  }

  /**
   * Begins to write a file.
   *
   * @param path where, until it is complete
   * @param freeBytes room on the disk
   * @param received counts the bytes that come
   * @throws CodeException if there is no room, or the disk refuses
   */
  static CodeWrite begin(
      CodeFile file, Path path, CacheTable table, LongSupplier freeBytes, LongAdder received)
      throws IOException {
    table.reserve(file);
    try {
      long free = freeBytes.getAsLong();
      if (free < file.getSizeBytes()) {
        throw diskFull(file, path, free, null);
      }
      return new CodeWrite(file, path, table, freeBytes, received);
    } catch (CodeException e) {
      table.unreserve(file);
      throw e;
    } catch (IOException e) {
      table.unreserve(file);
      throw cannotWrite(file, path, e);
    }
  }

  /**
   * Appends bytes.
   *
   * @throws CodeException if they are more than there should be, or the disk is full or refuses
   */
  void add(ByteString bytes) throws IOException {
    writtenBytes += bytes.size();
    received.add(bytes.size());
    if (writtenBytes > file.getSizeBytes()) {
      throw damaged("more bytes came than the " + file.getSizeBytes() + " it should have");
    }
    digest.update(bytes.asReadOnlyByteBuffer());
    try {
      bytes.writeTo(out);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * Puts the file into its place.
   *
   * @throws CodeException if the bytes are not those that the hash is of, or the disk refuses
   */
  void commit() throws IOException {
    if (writtenBytes < file.getSizeBytes()) {
      throw damaged(
          "only " + writtenBytes + " bytes came of the " + file.getSizeBytes() + " it should have");
    }
    ByteString hash = ByteString.copyFrom(digest.digest());
    if (!hash.equals(file.getSha256())) {
      CodeFile actual = file.toBuilder().setSha256(hash).build();
      throw damaged("the bytes that came have the hash " + Sha256.hex(actual));
    }
    try {
      out.close();
      table.commit(file, path);
      committed = true;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private CodeException damaged(String how) {
    return new CodeException(
        CodeException.Reason.DAMAGED, Sha256.title(file) + " arrived damaged: " + how);
  }

  private CodeException failed(IOException e) {
    long missing = file.getSizeBytes() - writtenBytes;
    String words = String.valueOf(e.getMessage());
    boolean full = words.contains("No space left") || words.contains("uota exceeded");
    long free = freeBytes.getAsLong();
    return full || free < missing ? diskFull(file, path, free, e) : cannotWrite(file, path, e);
  }

  private static CodeException diskFull(
      CodeFile file, Path path, long free, @Nullable Throwable cause) {
    return new CodeException(
        CodeException.Reason.NO_ROOM,
        "the disk of "
            + path.getParent()
            + " has "
            + free
            + " bytes free, too few for "
            + Sha256.title(file)
            + " of "
            + file.getSizeBytes()
            + " bytes",
        cause);
  }

  private static CodeException cannotWrite(CodeFile file, Path path, IOException cause) {
    return new CodeException(
        CodeException.Reason.STORAGE,
        "cannot write " + Sha256.title(file) + " to " + path.getParent() + ": " + cause,
        cause);
  }

  /** Removes what was written, unless it is complete. */
  @Override
  public void close() throws IOException {
    if (!committed) {
      committed = true; // once
      table.unreserve(file);
      try (out) {
        Files.deleteIfExists(path);
      }
    }
  }
}
