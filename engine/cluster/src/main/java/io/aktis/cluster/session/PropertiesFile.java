package io.aktis.cluster.session;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Small files that only their owner reads, and that are there as a whole or not at all. */
final class PropertiesFile {
  private PropertiesFile() {}

  static void write(Path file, Map<String, String> entries) throws IOException {
    Properties properties = new Properties();
    properties.putAll(entries);
    StringWriter text = new StringWriter();
    properties.store(text, null);
    writeText(file, text.toString());
  }

  /**
   * Reads a file.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  static SortedMap<String, String> read(Path file) throws IOException {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Files.readString(file)));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is damaged: " + e.getMessage(), e);
    }
    SortedMap<String, String> entries = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> entries.put(key, properties.getProperty(key)));
    return entries;
  }

  /** Writes a file of mode 600 under another name first, so that nobody sees half of it. */
  static void writeText(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
    Files.deleteIfExists(draft);
    try (SeekableByteChannel channel =
            Files.newByteChannel(
                draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(
                    PosixFilePermissions.fromString("rw-------")));
        var out = Channels.newOutputStream(channel)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
