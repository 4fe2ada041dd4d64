package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jars on the class path of this process. Programs bring the libraries of the engine along, for
 * they depend on them too; where the bytes are equal they need not be sent. They are hashed when
 * they are first asked for. Thread-safe; the first call reads files.
 */
final class OwnJars {
  private static final Logger LOG = LoggerFactory.getLogger(OwnJars.class);

  private final List<PathEntry> classPath;
  private @Nullable Map<ByteString, Own> jars;

  private record Own(Path file, FileStamp stamp) {}

  OwnJars(List<PathEntry> classPath) {
    this.classPath = classPath;
  }

  /** Returns the jar with those bytes, null if there is none or if it is not the same any more. */
  @Nullable Path find(ByteString sha256) throws IOException {
    Own own = jars().get(sha256);
    if (own == null || !Files.exists(own.file)) {
      return null;
    }
    return FileStamp.of(own.file).equals(own.stamp) ? own.file : null;
  }

  /** Hashes the jars, unless that is done. */
  void read() {
    jars();
  }

  private synchronized Map<ByteString, Own> jars() {
    if (jars == null) {
      Map<ByteString, Own> found = new HashMap<>();
      for (PathEntry entry : classPath) {
        if (entry instanceof PathEntry.Jar(Path file)) {
          add(found, file);
        }
      }
      jars = Map.copyOf(found);
    }
    return jars;
  }

  private static void add(Map<ByteString, Own> found, Path file) {
    try {
      FileStamp stamp = FileStamp.of(file);
      found.putIfAbsent(Sha256.of(file, stamp), new Own(file, stamp));
    } catch (IOException e) {
      LOG.debug("{} cannot be read, and is taken from programs when they have it", file, e);
    }
  }
}
