package io.aktis;

import io.aktis.spi.DeviceProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The options of a session. Mutable and confined to the thread that builds it; {@code Aktis.init(o
 * -> o.cpus(4))}.
 *
 * <p>Without {@link #node} an embedded session has one node shaped by {@link #cpus} and its
 * siblings. With it, the session has as many <em>virtual nodes</em> as were described, each with
 * resources and an object store of its own, so that a cluster can be rehearsed in one JVM.
 *
 * <p>What the program leaves open is read from the environment: the address from the system
 * property {@code aktis.address} or the variable {@code AKTIS_ADDRESS}, the CPUs of the only node
 * from the system property {@code aktis.cpus} or the variable {@code AKTIS_CPUS}, and whether
 * output comes to the driver from {@code aktis.logToDriver} or {@code AKTIS_LOG_TO_DRIVER}.
 */
public final class SessionOptions {
  private String address = "local";
  private String namespace = "default";
  private boolean reuseRunning;
  private final NodeOptions single = new NodeOptions();
  private boolean singleShaped;
  private final List<NodeOptions> nodes = new ArrayList<>();
  private RuntimeEnv runtimeEnv = RuntimeEnv.NONE;
  private boolean logToDriver = true;
  private java.time.Duration infeasibleGrace = java.time.Duration.ofSeconds(10);
  private int maxPendingTasks = 2_000_000;
  private long maxLineageBytes = 1L << 30;
  private DeviceProvider devices =
      count -> IntStream.range(0, count).mapToObj(Integer::toString).toList();

  private SessionOptions() {}

  static SessionOptions fromEnvironment() {
    SessionOptions options = new SessionOptions();
    String address = System.getProperty("aktis.address", System.getenv("AKTIS_ADDRESS"));
    if (address != null && !address.isBlank()) {
      options.address(address);
    }
    String cpus = System.getProperty("aktis.cpus", System.getenv("AKTIS_CPUS"));
    if (cpus != null && !cpus.isBlank()) {
      options.single.cpus(parseCpus(cpus));
    }
    String logs = System.getProperty("aktis.logToDriver", System.getenv("AKTIS_LOG_TO_DRIVER"));
    if (logs != null && !logs.isBlank()) {
      options.logToDriver(parseSwitch(logs));
    }
    return options;
  }

  private static boolean parseSwitch(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "aktis.logToDriver or AKTIS_LOG_TO_DRIVER must be true or false, not '" + text + "'");
    };
  }

  private static double parseCpus(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "aktis.cpus or AKTIS_CPUS must be a number of CPUs, not '" + text + "'", e);
    }
  }

  /**
   * Sets where the engine is: {@code local} [default, unless AKTIS_ADDRESS is set] or a cluster.
   */
  public SessionOptions address(String text) {
    address = Checks.text(text, "the address");
    return this;
  }

  /** Sets the namespace of actor names [default]. */
  public SessionOptions namespace(String text) {
    namespace = Checks.text(text, "the namespace");
    return this;
  }

  /** Lets {@code init} return the session that is running, instead of an error. */
  public SessionOptions reuseRunning() {
    reuseRunning = true;
    return this;
  }

  /** Sets the CPUs of the only node [AKTIS_CPUS, or cores of the machine or container]. */
  public SessionOptions cpus(double n) {
    single.cpus(n);
    singleShaped = true;
    return this;
  }

  /** Sets the GPUs of the only node [0]. */
  public SessionOptions gpus(int n) {
    single.gpus(n);
    singleShaped = true;
    return this;
  }

  /**
   * Sets the memory that tasks of the only node can reserve, in bytes [70 % of the heap limit]. It
   * is counted, not enforced.
   */
  public SessionOptions memoryBytes(long bytes) {
    single.memoryBytes(bytes);
    singleShaped = true;
    return this;
  }

  /**
   * Sets the capacity of the object store of the only node, in bytes, at least 1 MiB [30 % of the
   * memory that is free when the session starts, at least 64 MiB]. It is outside of the heap.
   */
  public SessionOptions objectStoreBytes(long bytes) {
    single.objectStoreBytes(bytes);
    singleShaped = true;
    return this;
  }

  /** Gives the only node a custom resource. */
  public SessionOptions resource(String name, double amount) {
    single.resource(name, amount);
    singleShaped = true;
    return this;
  }

  /** Gives the only node a label. */
  public SessionOptions label(String name, String value) {
    single.label(name, value);
    singleShaped = true;
    return this;
  }

  /** Adds a virtual node; several calls add several. */
  public SessionOptions node(UnaryOperator<NodeOptions> node) {
    Checks.notNull(node, "the description of the node");
    nodes.add(Checks.notNull(node.apply(new NodeOptions()), "the described node"));
    return this;
  }

  /**
   * Sets the runtime environment of all work; that of a task goes over it, and it goes over that of
   * the job when the program was submitted with one. What of it cannot be set up is a {@link
   * RuntimeEnvException} when the session is opened, or else of the work.
   */
  public SessionOptions runtimeEnv(RuntimeEnv env) {
    runtimeEnv = Checks.notNull(env, "the runtime environment");
    return this;
  }

  /**
   * Sets whether what work prints in worker processes comes to the streams of this program as well,
   * with the worker in front of each line [on, unless AKTIS_LOG_TO_DRIVER says {@code false}]. The
   * log files of the nodes have it in any case. Embedded, work prints to the streams of the program
   * itself.
   */
  public SessionOptions logToDriver(boolean on) {
    logToDriver = on;
    return this;
  }

  /** Sets how long work waits that no node can ever hold, before it fails [10 s]. */
  public SessionOptions infeasibleGrace(java.time.Duration grace) {
    infeasibleGrace = Checks.notNegative(grace, "the grace time");
    return this;
  }

  /**
   * Bounds the tasks and calls that are submitted and not done; submitting beyond it waits
   * [2,000,000].
   */
  public SessionOptions maxPendingTasks(int tasks) {
    maxPendingTasks = Checks.atLeast(tasks, 1, "maxPendingTasks");
    return this;
  }

  /** Bounds what is kept to make lost values again, in bytes [1 GiB]. */
  public SessionOptions maxLineageBytes(long bytes) {
    maxLineageBytes = Checks.atLeast(bytes, 0, "maxLineageBytes");
    return this;
  }

  /** Sets who names the GPUs of a node [a fake one that counts from 0]. */
  public SessionOptions devices(DeviceProvider provider) {
    devices = Checks.notNull(provider, "the device provider");
    return this;
  }

  /** Returns the address. */
  public String address() {
    return address;
  }

  /** Returns the namespace. */
  public String namespace() {
    return namespace;
  }

  /** Returns whether a running session may be returned. */
  public boolean isReuseRunning() {
    return reuseRunning;
  }

  /** Returns the runtime environment of all work. */
  public RuntimeEnv runtimeEnv() {
    return runtimeEnv;
  }

  /** Returns whether what work prints in other processes comes to this one. */
  public boolean isLogToDriver() {
    return logToDriver;
  }

  /** Returns the grace time of infeasible work. */
  public java.time.Duration infeasibleGrace() {
    return infeasibleGrace;
  }

  /** Returns the bound of pending tasks. */
  public int maxPendingTasks() {
    return maxPendingTasks;
  }

  /** Returns the bound of lineage in bytes. */
  public long maxLineageBytes() {
    return maxLineageBytes;
  }

  /** Returns who names the GPUs. */
  public DeviceProvider devices() {
    return devices;
  }

  /** Returns whether options of the only node were given. */
  public boolean isShaped() {
    return singleShaped || !nodes.isEmpty();
  }

  /**
   * Returns the nodes to make.
   *
   * @throws IllegalArgumentException when both the only node and virtual nodes were described
   */
  public List<NodeOptions> nodes() {
    if (singleShaped && !nodes.isEmpty()) {
      throw new IllegalArgumentException(
          "cpus, gpus, memoryBytes, objectStoreBytes, resource and label of the session describe"
              + " its only node; beside node(...) say them there");
    }
    return nodes.isEmpty() ? List.of(single) : List.copyOf(nodes);
  }

  /** One node: its resources, labels and object store. Mutable while it is built. */
  public static final class NodeOptions {
    private OptionalDouble cpus = OptionalDouble.empty();
    private int gpus;
    private OptionalLong memoryBytes = OptionalLong.empty();
    private OptionalLong objectStoreBytes = OptionalLong.empty();
    private final Map<String, Double> resources = new TreeMap<>();
    private final Map<String, String> labels = new TreeMap<>();

    private NodeOptions() {}

    /** Sets the CPUs [cores of the machine or container]. */
    public NodeOptions cpus(double n) {
      cpus = OptionalDouble.of(Checks.amount(n, "cpus"));
      return this;
    }

    /** Sets the number of GPUs [0]. */
    public NodeOptions gpus(int n) {
      gpus = Checks.atLeast(n, 0, "gpus");
      return this;
    }

    /** Sets the memory that tasks can reserve, in bytes [70 % of the heap limit, shared evenly]. */
    public NodeOptions memoryBytes(long bytes) {
      memoryBytes = OptionalLong.of(Checks.atLeast(bytes, 0, "memoryBytes"));
      return this;
    }

    /**
     * Sets the capacity of the object store, in bytes, at least 1 MiB [30 % of the memory that is
     * free when the session starts, shared evenly].
     */
    public NodeOptions objectStoreBytes(long bytes) {
      objectStoreBytes = OptionalLong.of(Checks.atLeast(bytes, 1 << 20, "objectStoreBytes"));
      return this;
    }

    /** Gives the node a custom resource. */
    public NodeOptions resource(String name, double amount) {
      resources.putAll(CallOptions.DEFAULTS.withResource(name, amount).resources());
      return this;
    }

    /** Gives the node a label. */
    public NodeOptions label(String name, String value) {
      labels.put(Checks.text(name, "the label's name"), Checks.text(value, "the label's value"));
      return this;
    }

    /** Returns the CPUs, empty for those of the machine. */
    public OptionalDouble cpus() {
      return cpus;
    }

    /** Returns the number of GPUs. */
    public int gpus() {
      return gpus;
    }

    /** Returns the memory in bytes, empty for the default. */
    public OptionalLong memoryBytes() {
      return memoryBytes;
    }

    /** Returns the capacity of the object store in bytes, empty for the default. */
    public OptionalLong objectStoreBytes() {
      return objectStoreBytes;
    }

    /** Returns the custom resources. */
    public Map<String, Double> resources() {
      return Map.copyOf(resources);
    }

    /** Returns the labels. */
    public Map<String, String> labels() {
      return Map.copyOf(labels);
    }
  }
}
