package io.aktis.cluster.code;

import io.aktis.cluster.code.PackedJar.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Working directories as archives: what is in one, and how it is unpacked. An archive is a ZIP file
 * whose entries carry the modes of their files, see {@link UnixMode}. Thread-safe.
 */
public final class WorkingDirectory {
  /** The comment of such an archive. */
  static final String COMMENT = "packed by Aktis from a working directory";

  static final long MAX_BYTES = 512L << 20;
  static final int MAX_FILES = 100_000;

  private WorkingDirectory() {}

  private record FileContent(Path path, int mode) implements Content {
    @Override
    public InputStream open() throws IOException {
      return Files.newInputStream(path);
    }

    @Override
    public byte[] extra() {
      return UnixMode.extra(mode);
    }
  }

  /**
   * Lists what is in a directory, by names in an archive. Links are followed; {@code .git} and what
   * the file {@code .aktisignore} names are left out, and so is what is neither file nor directory.
   *
   * @throws CodeException when it holds more than can be sent, or a link that leads out of it or
   *     nowhere; the message names it
   */
  static SortedMap<String, Content> list(Path root) throws IOException {
    return list(root, MAX_FILES, MAX_BYTES);
  }

  static SortedMap<String, Content> list(Path root, int maxFiles, long maxBytes)
      throws IOException {
    Listing listing = new Listing(root, maxFiles, maxBytes);
    try {
      Files.walkFileTree(root, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, listing);
    } catch (CodeException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("the working directory " + root + " cannot be read: " + e, e);
    }
    return listing.contents;
  }

  /** Returns whether a file is an archive of a working directory. */
  static boolean isArchive(Path file) {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      return COMMENT.equals(zip.getComment());
    } catch (IOException e) {
      return false; // it is something else
    }
  }

  private static final class Listing extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Path realRoot;
    private final IgnoreRules ignored;
    private final int maxFiles;
    private final long maxBytes;
    private final SortedMap<String, Content> contents = new TreeMap<>();
    private long sizeBytes;

    Listing(Path root, int maxFiles, long maxBytes) throws IOException {
      this.root = root;
      this.realRoot = root.toRealPath();
      this.ignored = IgnoreRules.of(root);
      this.maxFiles = maxFiles;
      this.maxBytes = maxBytes;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
        throws IOException {
      if (path.equals(root)) {
        return FileVisitResult.CONTINUE;
      }
      if (ignored.matches(root.relativize(path), true)) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      checkLink(path);
      add(nameOf(path) + "/", InputStream::nullInputStream);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
      if (ignored.matches(root.relativize(path), false)) {
        return FileVisitResult.CONTINUE;
      }
      checkLink(path);
      if (attributes.isRegularFile()) {
        sizeBytes += attributes.size();
        add(nameOf(path), new FileContent(path, UnixMode.of(path)));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path path, IOException failure) throws IOException {
      if (!path.equals(root) && ignored.matches(root.relativize(path), Files.isDirectory(path))) {
        return FileVisitResult.CONTINUE;
      }
      if (failure instanceof FileSystemLoopException) {
        throw refused(path, "is a link to a directory that it lies in");
      }
      throw failure;
    }

    /** A link may not bring along what is elsewhere: nobody has meant to send that. */
    private void checkLink(Path path) throws IOException {
      if (!Files.isSymbolicLink(path)) {
        return;
      }
      Path target = Files.readSymbolicLink(path);
      if (!Files.exists(path)) {
        throw refused(path, "is a link to " + target + ", which is not there");
      }
      if (!path.toRealPath().startsWith(realRoot)) {
        throw refused(path, "is a link to " + target + ", which is outside of the directory");
      }
    }

    private CodeException refused(Path path, String why) {
      return new CodeException(
          CodeException.Reason.REFUSED,
          path
              + " "
              + why
              + ", so the working directory "
              + root
              + " cannot be sent; remove it, or name it in "
              + root.resolve(IgnoreRules.FILE));
    }

    private String nameOf(Path path) {
      return root.relativize(path).toString().replace(path.getFileSystem().getSeparator(), "/");
    }

    private void add(String name, Content content) throws IOException {
      contents.put(name, content);
      if (contents.size() > maxFiles || sizeBytes > maxBytes) {
        throw new CodeException(
            CodeException.Reason.NO_ROOM,
            "the working directory "
                + root
                + " holds more than the "
                + maxFiles
                + " files or "
                + (maxBytes >> 20)
                + " MiB that can be sent to nodes; name what is not needed in "
                + root.resolve(IgnoreRules.FILE));
      }
    }
  }

  // ---- unpacking ------------------------------------------------------------------------------

  /**
   * Unpacks an archive into an empty directory. May wait. What is there after a failure is left to
   * the caller.
   *
   * @throws IOException when it is damaged, or the disk refuses; the message says which
   */
  public static void unpack(Path archive, Path directory) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        unpack(zip, entry, directory);
      }
    } catch (IOException e) {
      throw new IOException(
          "the working directory cannot be unpacked into " + directory + ": " + e.getMessage(), e);
    }
  }

  private static void unpack(ZipFile zip, ZipEntry entry, Path directory) throws IOException {
    Path place = directory.resolve(entry.getName()).normalize();
    if (!place.startsWith(directory) || place.equals(directory)) {
      throw new IOException("the archive has an entry " + entry.getName() + ", which is no place");
    }
    if (entry.isDirectory()) {
      Files.createDirectories(place);
      return;
    }
    Files.createDirectories(place.getParent());
    try (InputStream in = zip.getInputStream(entry)) {
      Files.copy(in, place);
    }
    UnixMode.set(place, entry.getExtra());
  }
}
