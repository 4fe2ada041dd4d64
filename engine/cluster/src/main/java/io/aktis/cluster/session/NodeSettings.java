package io.aktis.cluster.session;

import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.tls.TlsFiles;
import io.aktis.core.resource.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that a node daemon is told at its start, in checked form. Travels as a properties file of
 * mode 600 in the directory of the node. Immutable.
 *
 * @param sessionId the session of the cluster; who starts a node that joins has asked the cluster
 *     for it
 * @param head whether this node starts the cluster, or goes on with it as its head
 * @param network where it listens, and whom it joins
 * @param capacity what it offers
 * @param places where its files are
 * @param workerJvmOptions options of the JVM of every worker
 * @param control the control store of a node that can be the head
 */
public record NodeSettings(
    String sessionId,
    boolean head,
    Network network,
    Capacity capacity,
    Places places,
    List<String> workerJvmOptions,
    Optional<ControlPlace> control) {
  /**
   * Where a node listens.
   *
   * @param bindHost name or address that its ports are bound to
   * @param advertisedHost name or address by which others reach it
   * @param port of the services, 0 for any
   * @param controlPort of the membership, 0 for the one after {@code port} or any
   * @param dataPort for the bytes of large objects, 0 for the one after that of the membership or
   *     any; not opened with TLS
   * @param headAddress host and port of the services of the node to join; empty for a head
   */
  public record Network(
      String bindHost,
      String advertisedHost,
      int port,
      int controlPort,
      int dataPort,
      String headAddress) {
    /**
     * Returns where the membership listens: at the port that was chosen, else at the one after that
     * of the services; 0 for any.
     */
    public int membershipPort() {
      return controlPort != 0 ? controlPort : after(port);
    }

    /**
     * Returns where large objects are read: at the port that was chosen, else at the one after that
     * of the membership when nobody has it; 0 for any.
     */
    public int usualDataPort() {
      return dataPort != 0 ? dataPort : after(membershipPort());
    }

    private static int after(int port) {
      return port == 0 || port == HostPort.MAX_PORT ? 0 : port + 1;
    }
  }

  /**
   * What a node offers.
   *
   * @param resources CPUs, GPUs, memory, and what else work can ask for
   * @param gpuIds a name for each GPU
   * @param labels what selectors look at
   * @param objectStoreBytes capacity of its object store
   */
  public record Capacity(
      Resources resources, List<String> gpuIds, Map<String, String> labels, long objectStoreBytes) {
    /** Checks and copies. */
    public Capacity {
      gpuIds = List.copyOf(gpuIds);
      labels = Map.copyOf(labels);
      if (resources.gpuUnits() != gpuIds.size() * Resources.UNITS_PER_ONE) {
        throw new IllegalArgumentException(
            "each GPU has a name: " + resources + " has not as many as " + gpuIds);
      }
      if (objectStoreBytes < 1) {
        throw new IllegalArgumentException("an object store has at least one byte");
      }
    }
  }

  /**
   * Where the files of a node are. The directories of store and spill are its own: whoever ends the
   * node deletes them.
   *
   * @param storeDir of the file behind the object store
   * @param spillDir of objects that have no room in memory
   * @param logDir of the output of workers
   * @param tokenFile has the token of the cluster
   * @param tls has the certificates, where the cluster uses TLS
   */
  public record Places(
      Path storeDir, Path spillDir, Path logDir, Path tokenFile, Optional<TlsFiles> tls) {}

  /** Checks and copies. */
  public NodeSettings {
    workerJvmOptions = List.copyOf(workerJvmOptions);
    if (head != network.headAddress.isEmpty()) {
      throw new IllegalArgumentException("a node is the head, or joins one; it is never both");
    }
    if (head && control.isEmpty()) {
      throw new IllegalArgumentException("a head has a control store");
    }
    if (!head && control.filter(place -> !place.isShared()).isPresent()) {
      throw new IllegalArgumentException(
          "a node that joins can have a control store only that others share: redis://HOST:PORT");
    }
    if (sessionId.isEmpty()) {
      throw new IllegalArgumentException("a node belongs to a session");
    }
  }

  /** Writes the settings, at once or not at all. */
  public void write(Path file) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    entries.put("session", sessionId);
    entries.put("head", Boolean.toString(head));
    entries.put("bind-host", network.bindHost);
    entries.put("advertised-host", network.advertisedHost);
    entries.put("port", Integer.toString(network.port));
    entries.put("control-port", Integer.toString(network.controlPort));
    entries.put("data-port", Integer.toString(network.dataPort));
    entries.put("head-address", network.headAddress);
    entries.put("cpu-units", Long.toString(capacity.resources.cpuUnits()));
    entries.put("memory-bytes", Long.toString(capacity.resources.memoryBytes()));
    entries.put("object-store-bytes", Long.toString(capacity.objectStoreBytes));
    putAll(entries, "gpu-ids", capacity.gpuIds);
    capacity
        .resources
        .customUnits()
        .forEach((name, units) -> entries.put("resource-units." + name, Long.toString(units)));
    capacity.labels.forEach((name, value) -> entries.put("label." + name, value));
    entries.put("store-dir", places.storeDir.toString());
    entries.put("spill-dir", places.spillDir.toString());
    entries.put("log-dir", places.logDir.toString());
    entries.put("token-file", places.tokenFile.toString());
    places.tls.ifPresent(files -> entries.putAll(files.entries()));
    putAll(entries, "worker-jvm-options", workerJvmOptions);
    control.ifPresent(place -> entries.put("control-store", place.text()));
    PropertiesFile.write(file, entries);
  }

  private static void putAll(Map<String, String> entries, String key, List<String> values) {
    for (int index = 0; index < values.size(); index++) {
      entries.put(key + "." + index, values.get(index));
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException when the file cannot be read, or is not such a file; the message names it
   */
  public static NodeSettings read(Path file) throws IOException {
    SortedMap<String, String> entries = PropertiesFile.read(file);
    try {
      return of(entries);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a file of settings: " + e.getMessage(), e);
    }
  }

  private static NodeSettings of(SortedMap<String, String> entries) {
    List<String> gpuIds = list(entries, "gpu-ids");
    SortedMap<String, Long> custom = new TreeMap<>();
    below(entries, "resource-units.")
        .forEach((name, units) -> custom.put(name, Long.parseLong(units)));
    Resources resources =
        Resources.ofUnits(
            number(entries, "cpu-units"),
            gpuIds.size() * Resources.UNITS_PER_ONE,
            number(entries, "memory-bytes"),
            custom);
    return new NodeSettings(
        text(entries, "session"),
        Boolean.parseBoolean(text(entries, "head")),
        new Network(
            text(entries, "bind-host"),
            text(entries, "advertised-host"),
            Math.toIntExact(number(entries, "port")),
            Math.toIntExact(number(entries, "control-port")),
            entries.containsKey("data-port") // not in files of a cluster from before there was one
                ? Math.toIntExact(number(entries, "data-port"))
                : 0,
            text(entries, "head-address")),
        new Capacity(
            resources, gpuIds, below(entries, "label."), number(entries, "object-store-bytes")),
        new Places(
            Path.of(text(entries, "store-dir")),
            Path.of(text(entries, "spill-dir")),
            Path.of(text(entries, "log-dir")),
            Path.of(text(entries, "token-file")),
            TlsFiles.of(entries)),
        list(entries, "worker-jvm-options"),
        Optional.ofNullable(entries.get("control-store")).map(ControlPlace::parse));
  }

  private static String text(Map<String, String> entries, String key) {
    String value = entries.get(key);
    if (value == null) {
      throw new IllegalArgumentException("it has no " + key);
    }
    return value;
  }

  private static long number(Map<String, String> entries, String key) {
    String value = text(entries, key);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + " is '" + value + "', not a number", e);
    }
  }

  private static List<String> list(Map<String, String> entries, String key) {
    List<String> values = new ArrayList<>();
    for (String value = entries.get(key + ".0"); value != null; ) {
      values.add(value);
      value = entries.get(key + "." + values.size());
    }
    return values;
  }

  private static Map<String, String> below(SortedMap<String, String> entries, String prefix) {
    Map<String, String> values = new TreeMap<>();
    entries.forEach((key, value) -> {
      if (key.startsWith(prefix)) {
        values.put(key.substring(prefix.length()), value);
      }
    });
    return values;
  }
}
