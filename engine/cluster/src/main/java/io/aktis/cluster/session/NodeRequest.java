package io.aktis.cluster.session;

import io.aktis.cluster.control.ControlPlace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants a new node on this machine to be like; what is left open is chosen by {@link
 * NodeLauncher}. Immutable.
 *
 * @param join address of a node of the cluster to join, or {@code auto}; empty to start a cluster
 * @param listen where it listens
 * @param amounts what it offers
 * @param files where its files are
 * @param control its control store, if it is to be able to be the head; {@code null} for one in the
 *     directory of the session when it starts a cluster, and for none when it joins one
 */
public record NodeRequest(
    String join, Listen listen, Amounts amounts, Files files, @Nullable ControlPlace control) {
  /**
   * Where it listens.
   *
   * @param host name or address; {@code null} for the loopback address, or, when the cluster to
   *     join is on another machine, for the address that leads there
   * @param advertisedHost how others reach it; {@code null} for {@code host}
   * @param port of the services, 0 for any
   * @param controlPort of the membership, 0 for the next one or any
   * @param dataPort for the bytes of large objects, 0 for the one after that or any
   */
  public record Listen(
      @Nullable String host,
      @Nullable String advertisedHost,
      int port,
      int controlPort,
      int dataPort) {}

  /**
   * What it offers.
   *
   * @param cpus {@code null} for those of this machine or container
   * @param gpus {@code null} for those in {@code CUDA_VISIBLE_DEVICES}
   * @param memoryBytes that work can reserve; {@code null} for 70 % of what the object store leaves
   * @param custom other resources by name
   * @param labels what selectors look at
   * @param objectStoreBytes {@code null} for a fifth of the memory, as far as there is room for it
   */
  public record Amounts(
      @Nullable Double cpus,
      @Nullable Integer gpus,
      @Nullable Long memoryBytes,
      Map<String, Double> custom,
      Map<String, String> labels,
      @Nullable Long objectStoreBytes) {
    /** Copies. */
    public Amounts {
      custom = Map.copyOf(custom);
      labels = Map.copyOf(labels);
    }
  }

  /**
   * Where its files are.
   *
   * @param storeDir a directory for the memory of the object store; {@code null} for {@code
   *     /dev/shm}, or the directory of the node where there is none
   * @param spillDir a directory for what does not fit into it; {@code null} for the node's own
   * @param tokenFile {@code null} for the token of this user
   * @param tlsDir the directory with the certificates; {@code null} for TLS only when the cluster
   *     to join is known to use it, or {@code AKTIS_TLS_DIR} names a directory
   * @param workerJvmOptions options of the JVM of every worker
   */
  public record Files(
      @Nullable Path storeDir,
      @Nullable Path spillDir,
      @Nullable Path tokenFile,
      @Nullable Path tlsDir,
      List<String> workerJvmOptions) {
    /** Copies. */
    public Files {
      workerJvmOptions = List.copyOf(workerJvmOptions);
    }
  }
}
