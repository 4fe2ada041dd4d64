package io.aktis.cluster.node;

import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node daemon is told at its start.
 *
 * @param bindHost the address that it listens on
 * @param port the port; 0 for any that is free
 * @param advertisedHost the host that others reach it at
 * @param total what it may lease
 * @param gpuIds the name of each GPU in {@code total}, as {@code CUDA_VISIBLE_DEVICES} takes it
 * @param labels for who chooses nodes
 * @param node its id, new in each life
 * @param machineId equal on nodes that can map each other's memory
 * @param sessionId the cluster
 * @param token the secret of the cluster
 * @param tls the certificates, where the cluster uses TLS; workers read the same files
 * @param sessionDir where it may make files, which it deletes
 * @param logDir where it writes what workers print
 * @param workers how worker processes are made
 * @param version of the engine
 */
public record NodeConfig(
    String bindHost,
    int port,
    String advertisedHost,
    Resources total,
    List<String> gpuIds,
    SortedMap<String, String> labels,
    NodeId node,
    String machineId,
    String sessionId,
    String token,
    Optional<ClusterTls> tls,
    Path sessionDir,
    Path logDir,
    WorkerCommand workers,
    String version) {
  /** Checks what is given, and copies it. */
  public NodeConfig {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not one of 0 to 65535");
    }
    if (bindHost.isBlank() || advertisedHost.isBlank()) {
      throw new IllegalArgumentException("a node needs a host to listen on and one to be told");
    }
    if (sessionId.isBlank() || token.isBlank()) {
      throw new IllegalArgumentException("a node needs a session id and a token");
    }
    if (total.gpuUnits() != gpuIds.size() * Resources.UNITS_PER_ONE) {
      throw new IllegalArgumentException(
          "a node with " + total + " must name each of its gpus; named are " + gpuIds);
    }
    gpuIds = List.copyOf(gpuIds);
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Returns what callers have to show, and what others are shown. */
  Credentials credentials() {
    return new Credentials(token, sessionId, tls);
  }

  @Override
  public String toString() {
    return "NodeConfig[" + node + " on " + bindHost + ":" + port + "]"; // the token is a secret
  }

  /**
   * How worker processes are made.
   *
   * @param java the command that runs a JVM
   * @param classPath the class path of the engine
   * @param jvmOptions options of each JVM, before those of the job
   * @param cacheOptions more options, with which a JVM starts faster; left out where options of the
   *     job might not go with them
   * @param mainClass what runs
   */
  public record WorkerCommand(
      Path java,
      String classPath,
      List<String> jvmOptions,
      List<String> cacheOptions,
      String mainClass) {
    /** The class that worker processes run. */
    public static final String MAIN_CLASS = "io.aktis.cluster.worker.WorkerMain";

    /**
     * The options that workers should have: a full heap ends the process, natives are allowed, and
     * the readers of Apache Arrow find the memory of buffers.
     */
    public static final List<String> JVM_OPTIONS =
        List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    /** Copies what is given. */
    public WorkerCommand {
      jvmOptions = List.copyOf(jvmOptions);
      cacheOptions = List.copyOf(cacheOptions);
    }

    /**
     * Returns the usual command: the JVM of this process, with its class path.
     *
     * @param moreOptions options of each JVM behind those that workers should have
     */
    public static WorkerCommand ofThisProcess(List<String> moreOptions, List<String> cacheOptions) {
      List<String> options = new ArrayList<>(JVM_OPTIONS);
      options.addAll(moreOptions);
      return new WorkerCommand(
          Path.of(System.getProperty("java.home"), "bin", "java"),
          System.getProperty("java.class.path"),
          options,
          cacheOptions,
          MAIN_CLASS);
    }
  }
}
