package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import io.aktis.wire.message.CodeFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.time.LocalDateTime;
import java.util.SortedMap;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A jar made of files that were none. Equal files give equal bytes, on every machine: entries are
 * sorted, have one time, and are not compressed, since compressors differ.
 *
 * <p>It is written to a temporary file, which is mapped and has no name any more: it is gone when
 * this is closed or when the process dies, however that happens.
 */
final class PackedJar {
  /**
   * The comment of such a jar. Java reads no manifest in a directory of classes, so nobody may act
   * upon the one in here.
   */
  static final String COMMENT = "packed by Aktis from a directory";

  private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
  private static final int BLOCK_BYTES = 64 << 10;

  private PackedJar() {}

  /** Opens the bytes of one entry, as often as it is asked. */
  interface Content {
    InputStream open() throws IOException;

    /** Returns the extra fields of the entry. */
    default byte[] extra() {
      return new byte[0];
    }
  }

  /**
   * Packs a jar.
   *
   * @param contents the entries by their names; names of directories end with a slash
   * @param arena ends the life of the jar
   */
  static UnitFile of(String name, SortedMap<String, Content> contents, Arena arena)
      throws IOException {
    return of(name, COMMENT, contents, arena);
  }

  /** Packs an archive with a comment of its own. */
  static UnitFile of(String name, String comment, SortedMap<String, Content> contents, Arena arena)
      throws IOException {
    Path file = Files.createTempFile("aktis-code-", ".jar");
    var digest = Sha256.digest();
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        OutputStream out =
            new BufferedOutputStream(Channels.newOutputStream(channel), BLOCK_BYTES);
        ZipOutputStream zip = new ZipOutputStream(new DigestOutputStream(out, digest))) {
      zip.setComment(comment);
      for (var content : contents.entrySet()) {
        write(zip, content.getKey(), content.getValue());
      }
      zip.finish();
      zip.flush();
      MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      CodeFile made =
          CodeFile.newBuilder()
              .setName(name)
              .setSha256(ByteString.copyFrom(digest.digest()))
              .setSizeBytes(bytes.byteSize())
              .build();
      return new UnitFile.Packed(made, bytes);
    }
  }

  private static void write(ZipOutputStream zip, String name, Content content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(TIME);
    entry.setMethod(ZipEntry.STORED);
    entry.setExtra(content.extra());
    CRC32 sum = new CRC32();
    long size = 0;
    byte[] block = new byte[BLOCK_BYTES];
    try (InputStream in = content.open()) {
      for (int count = in.read(block); count >= 0; count = in.read(block)) {
        sum.update(block, 0, count);
        size += count;
      }
    }
    entry.setSize(size);
    entry.setCompressedSize(size);
    entry.setCrc(sum.getValue());
    zip.putNextEntry(entry);
    try (InputStream in = content.open()) {
      in.transferTo(zip);
    }
    zip.closeEntry(); // fails if the content was another the second time
  }
}
