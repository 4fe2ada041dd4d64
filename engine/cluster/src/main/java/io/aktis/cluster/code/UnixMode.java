package io.aktis.cluster.code;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Modes of files in ZIP entries: the "ASi Unix extra field", which ZIP tools know, for {@code
 * java.util.zip} writes none.
 *
 * <pre>
 *  0  2  0x756e
 *  2  2  size of what follows, 14
 *  4  4  CRC-32 of what follows
 *  8  2  mode, with 0100000 for a regular file
 * 10  4  size of the target of a link, or device: 0
 * 14  2  user, 0
 * 16  2  group, 0
 * </pre>
 *
 * All in little-endian order.
 */
final class UnixMode {
  private static final short ID = 0x756e;
  private static final int SIZE_BYTES = 14;
  private static final int HEAD_BYTES = 4;
  private static final int CRC_BYTES = 4;
  private static final int REGULAR_FILE = 0100000;
  private static final int PERMISSIONS = 0777;

  /** Where modes cannot be read. */
  private static final int USUAL = 0644;

  /** From the highest bit, as {@code rwxr-xr-x} is written. */
  private static final PosixFilePermission[] BITS = PosixFilePermission.values();

  private UnixMode() {}

  /** Returns the permissions of a file as a number; what a link leads to counts. */
  static int of(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return USUAL;
    }
    Set<PosixFilePermission> permissions = view.readAttributes().permissions();
    int mode = 0;
    for (int i = 0; i < BITS.length; i++) {
      mode |= permissions.contains(BITS[i]) ? 1 << (BITS.length - 1 - i) : 0;
    }
    return mode;
  }

  /** Returns an extra field that says the mode of a regular file. */
  static byte[] extra(int mode) {
    ByteBuffer field = ByteBuffer.allocate(HEAD_BYTES + SIZE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    field.putShort(ID).putShort((short) SIZE_BYTES);
    field.putShort(HEAD_BYTES + CRC_BYTES, (short) (REGULAR_FILE | mode));
    CRC32 sum = new CRC32();
    sum.update(field.array(), HEAD_BYTES + CRC_BYTES, SIZE_BYTES - CRC_BYTES);
    field.putInt(HEAD_BYTES, (int) sum.getValue());
    return field.array();
  }

  /** Gives a file the mode that the extra fields of its entry say, if they say one. */
  static void set(Path file, byte @Nullable [] extra) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null || extra == null) {
      return;
    }
    ByteBuffer fields = ByteBuffer.wrap(extra).order(ByteOrder.LITTLE_ENDIAN);
    while (fields.remaining() >= HEAD_BYTES) {
      short id = fields.getShort();
      int size = fields.getShort() & 0xffff;
      if (size > fields.remaining()) {
        throw new IOException("the archive has a cut off field at " + file.getFileName());
      }
      if (id == ID && size >= SIZE_BYTES) {
        view.setPermissions(permissions(fields.getShort(fields.position() + CRC_BYTES)));
        return;
      }
      fields.position(fields.position() + size);
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < BITS.length; i++) {
      if ((mode & PERMISSIONS & 1 << (BITS.length - 1 - i)) != 0) {
        permissions.add(BITS[i]);
      }
    }
    return permissions;
  }
}
