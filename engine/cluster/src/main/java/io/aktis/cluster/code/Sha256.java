package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash that names a file of code. */
final class Sha256 {
  /** Bytes of a hash. */
  static final int BYTES = 32;

  private static final int BLOCK_BYTES = 64 << 10;

  /** Hashes of the files that this process has seen. */
  private static final FileFacts<ByteString> FILES = new FileFacts<>(Sha256::read);

  private Sha256() {}

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  /** Returns the hash of a file, read at most once while the file stays as it is. */
  static ByteString of(Path file, FileStamp stamp) throws IOException {
    return FILES.of(file, stamp);
  }

  private static ByteString read(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] block = new byte[BLOCK_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(block); count >= 0; count = in.read(block)) {
        digest.update(block, 0, count);
      }
    }
    return ByteString.copyFrom(digest.digest());
  }

  /** Returns the hash of a file as it is part of names. */
  static String hex(CodeFile file) {
    return HexFormat.of().formatHex(file.getSha256().toByteArray());
  }

  /** Names a file for people: its name, and enough of its hash to tell builds apart. */
  static String title(CodeFile file) {
    String hex = hex(file);
    return file.getName() + " (" + hex.substring(0, Math.min(12, hex.length())) + ")";
  }
}
