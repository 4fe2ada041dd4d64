package io.aktis.cluster.code;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** One entry of a class path. Immutable. */
sealed interface PathEntry {
  /** A jar that is there. */
  record Jar(Path file) implements PathEntry {}

  /** A directory of classes that is there. */
  record Directory(Path root) implements PathEntry {}

  /** Classes of a loader that has no files. */
  record Memory(InMemoryCode code) implements PathEntry {}

  /** A file that is no jar, to be found by its name. */
  record Resource(Path file) implements PathEntry {}

  /** A directory in which processes start, or its archive; nothing is looked for in it. */
  record StartIn(Path place) implements PathEntry {}

  /** Returns the entry that a path names, null where there is nothing. */
  static @Nullable PathEntry of(Path path) {
    Path place = path.toAbsolutePath(); // not normalized: a link before .. leads elsewhere
    if (Files.isDirectory(place)) {
      return new Directory(place);
    }
    return Files.isRegularFile(place) ? new Jar(place) : null;
  }

  /**
   * Returns the entry that a URL names, null where there is nothing or where it is not of a file.
   * Java takes a URL for a directory if it ends with a slash, and for a jar if it does not.
   */
  static @Nullable PathEntry of(URL url) {
    Path path = pathOf(url);
    PathEntry entry = path == null ? null : of(path);
    boolean isDirectory = entry instanceof Directory;
    return isDirectory == url.getPath().endsWith("/") ? entry : null;
  }

  private static @Nullable Path pathOf(URL url) {
    if (!url.getProtocol().equals("file")) {
      return null;
    }
    try {
      return Path.of(new URI(url.toString()));
    } catch (URISyntaxException e) {
      return Path.of(url.getPath()); // made of a path by hand, with characters that a URI escapes
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      return null; // has a host, a query or a fragment: Java finds nothing there either
    }
  }
}
