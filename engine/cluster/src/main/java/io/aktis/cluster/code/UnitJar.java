package io.aktis.cluster.code;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * One jar of a {@link UnitClassLoader}, opened when it is first looked into. What its manifest adds
 * to the class path is not followed: the unit has it already. Thread-safe.
 */
final class UnitJar implements Closeable {
  private final Path path;
  private final URL url;
  private @Nullable JarFile open;
  private @Nullable Manifest manifest;
  private boolean closed;

  /** An entry that was found. */
  record Found(UnitJar jar, JarFile file, JarEntry entry) {
    InputStream open() throws IOException {
      return file.getInputStream(entry);
    }

    /** Where it is; the name is that of the version of this Java. */
    URL url() {
      try {
        URI name = new URI(null, null, "/" + entry.getRealName(), null);
        return URI.create("jar:" + jar.url + "!" + name.getRawPath()).toURL();
      } catch (MalformedURLException | URISyntaxException e) {
        throw new IllegalStateException(e); // a path and an escaped name are one
      }
    }
  }

  UnitJar(Path path) {
    this.path = path;
    try {
      this.url = path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  Path path() {
    return path;
  }

  URL url() {
    return url;
  }

  /**
   * Looks for an entry, in the version for this Java; null when there is none, or when the jar is
   * closed.
   *
   * @throws IOException when the jar is gone or is none; the message names it
   */
  @Nullable Found find(String name) throws IOException {
    JarFile file = file();
    if (file == null) {
      return null;
    }
    JarEntry entry = file.getJarEntry(name);
    return entry == null ? null : new Found(this, file, entry);
  }

  private synchronized @Nullable JarFile file() throws IOException {
    if (open == null && !closed) {
      try {
        open = openFile(JarFile.runtimeVersion());
        if (PackedJar.COMMENT.equals(open.getComment())) {
          open.close();
          open = openFile(JarFile.baseVersion());
        } else {
          manifest = open.getManifest();
        }
      } catch (IOException e) {
        throw new IOException("the jar " + path + " of the code unit cannot be opened: " + e, e);
      }
    }
    return closed ? null : open;
  }

  private JarFile openFile(Runtime.Version version) throws IOException {
    return new JarFile(path.toFile(), true, ZipFile.OPEN_READ, version);
  }

  /** Returns its manifest, if it has one that counts; after something was found. */
  synchronized @Nullable Manifest manifest() {
    return manifest;
  }

  /** Returns whether the manifest seals a package. */
  boolean seals(String packageName) {
    String sealed = attribute(packageName, Attributes.Name.SEALED);
    return "true".equalsIgnoreCase(sealed);
  }

  /** Returns what the manifest says of a package, or else of all. */
  @Nullable String attribute(String packageName, Attributes.Name name) {
    Manifest known = manifest();
    if (known == null) {
      return null;
    }
    Attributes own = known.getAttributes(packageName.replace('.', '/') + "/");
    String value = own == null ? null : own.getValue(name);
    return value != null ? value : known.getMainAttributes().getValue(name);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (open != null) {
      open.close();
    }
  }
}
