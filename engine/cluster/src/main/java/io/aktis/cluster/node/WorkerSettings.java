package io.aktis.cluster.node;

import io.aktis.cluster.tls.TlsFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What a node tells a worker process at its start, as a file that only its user can read. The path
 * of the file is the one argument of the worker's main method; the node deletes the file once the
 * worker serves.
 *
 * @param workerId its id
 * @param nodeAddress host and port at which it reaches its node
 * @param advertisedNodeAddress host and port at which others reach its node
 * @param token the secret of the cluster
 * @param sessionId the cluster
 * @param owner the owner half of the ids of its job
 * @param code the class path of its job, in order
 * @param bindHost where it listens
 * @param advertisedHost the host that owners reach it at
 * @param logDir where it may write logs
 * @param storeFile the memory of the store; empty for none
 * @param journal where it notes what has started; see the worker's {@code StartJournal}
 * @param tls the certificates, where the cluster uses TLS
 */
public record WorkerSettings(
    String workerId,
    String nodeAddress,
    String advertisedNodeAddress,
    String token,
    String sessionId,
    long owner,
    List<Path> code,
    String bindHost,
    String advertisedHost,
    Path logDir,
    String storeFile,
    Path journal,
    Optional<TlsFiles> tls) {
  /** Copies what is given. */
  public WorkerSettings {
    code = List.copyOf(code);
  }

  @Override
  public String toString() {
    return "WorkerSettings[" + workerId + "]"; // the token is a secret
  }

  /**
   * Writes the file.
   *
   * @throws IOException when it exists or cannot be written
   */
  public void write(Path file) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("worker.id", workerId);
    properties.setProperty("node.address", nodeAddress);
    properties.setProperty("node.advertised.address", advertisedNodeAddress);
    properties.setProperty("token", token);
    properties.setProperty("session", sessionId);
    properties.setProperty("owner", Long.toHexString(owner));
    properties.setProperty("bind.host", bindHost);
    properties.setProperty("advertised.host", advertisedHost);
    properties.setProperty("log.dir", logDir.toString());
    properties.setProperty("store.file", storeFile);
    properties.setProperty("journal", journal.toString());
    tls.ifPresent(files -> properties.putAll(files.entries()));
    properties.setProperty("code.count", Integer.toString(code.size()));
    for (int i = 0; i < code.size(); i++) {
      properties.setProperty("code." + i, code.get(i).toString());
    }
    create(file);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
  }

  private static void create(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else if (!file.toFile().createNewFile()) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  /**
   * Reads the file.
   *
   * @throws IOException when it cannot be read, or lacks a setting
   */
  public static WorkerSettings read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    try {
      List<Path> code = new ArrayList<>();
      int count = Integer.parseInt(get(properties, "code.count"));
      for (int i = 0; i < count; i++) {
        code.add(Path.of(get(properties, "code." + i)));
      }
      return new WorkerSettings(
          get(properties, "worker.id"),
          get(properties, "node.address"),
          get(properties, "node.advertised.address"),
          get(properties, "token"),
          get(properties, "session"),
          Long.parseUnsignedLong(get(properties, "owner"), 16),
          code,
          get(properties, "bind.host"),
          get(properties, "advertised.host"),
          Path.of(get(properties, "log.dir")),
          get(properties, "store.file"),
          Path.of(get(properties, "journal")),
          TlsFiles.of(entries(properties)));
    } catch (IllegalArgumentException e) {
      throw new IOException("the settings of a worker in " + file + ": " + e.getMessage(), e);
    }
  }

  private static Map<String, String> entries(Properties properties) {
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, name -> get(properties, name)));
  }

  private static String get(Properties properties, String key) {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException(key + " is missing");
    }
    return value;
  }
}
