package io.aktis.cluster.node;

import io.aktis.cluster.code.WorkingDirectory;
import io.aktis.cluster.session.NodeDirectory;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.core.pool.PoolEffect.StartWorker;
import io.aktis.core.pool.WorkerFile;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.JobHello;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The worker processes that a node has started and that are not buried yet. Thread-safe. */
final class Workers {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final String GPUS = "CUDA_VISIBLE_DEVICES";

  /** By it, what a killed daemon has left is found. */
  private static final String NODE_DIR = "AKTIS_NODE_DIR";

  private static final String OURS = "AKTIS_";
  private static final FileAttribute<?> OWN_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final NodeConfig config;
  private final NodeCode code;
  private final String storeFile;
  private final Path settingsDir;
  private final Listener listener;
  private final Map<Long, WorkerProcess> processes = new ConcurrentHashMap<>();
  private final Map<Long, Optional<List<Long>>> started = new ConcurrentHashMap<>();
  private volatile int port;
  private volatile int directPort;

  /** Hears of processes, on any thread. */
  interface Listener {
    /** A process runs. */
    void runs(long worker);

    /** A process is gone with all that was its own, or could not be started. */
    void gone(long worker, String reason, boolean outOfMemory, boolean byItself);
  }

  /**
   * Makes the directories.
   *
   * @throws IOException when they cannot be made
   */
  Workers(NodeConfig config, NodeParts parts, Listener listener) throws IOException {
    this.config = config;
    this.code = parts.code();
    this.storeFile = parts.store().file();
    this.listener = listener;
    this.settingsDir = config.sessionDir().resolve("workers-" + config.node());
    makeDirectory(config.logDir());
    makeDirectory(settingsDir);
  }

  private static void makeDirectory(Path directory) throws IOException {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new IOException("the directory " + directory + " cannot be made: " + e, e);
    }
    if (!Files.isWritable(directory)) {
      throw new IOException("the directory " + directory + " cannot be written to");
    }
  }

  /**
   * Tells where the node is; to be called before the first start.
   *
   * @param port that others reach it at
   * @param directPort that its workers reach it at
   */
  void nodeIsAt(int port, int directPort) {
    this.port = port;
    this.directPort = directPort;
  }

  /** Returns the port that others reach the node at. */
  int port() {
    return port;
  }

  private String hostForWorkers() {
    return switch (config.bindHost()) {
      case "0.0.0.0" -> "127.0.0.1";
      case "::" -> "::1";
      default -> config.bindHost();
    };
  }

  /** Returns the id of a worker, which is unique in the cluster. */
  String idOf(long worker) {
    return "w" + worker + "-" + String.format("%08x", config.node().owner() & 0xffff_ffffL);
  }

  /** Returns the number in the id of a worker of this node that is there; null for others. */
  @Nullable Long numberOf(String workerId) {
    int dash = workerId.indexOf('-');
    if (!workerId.startsWith("w")
        || dash < 2
        || !workerId.substring(1, dash).matches("\\d{1,18}")) {
      return null;
    }
    long number = Long.parseLong(workerId.substring(1, dash));
    WorkerProcess process = processes.get(number);
    return process != null && process.id().equals(workerId) ? number : null;
  }

  int count() {
    return processes.size();
  }

  /** Starts a process; returns at once. */
  void start(StartWorker start, JobHello job, LogRelay log) {
    long worker = start.worker();
    String id = idOf(worker);
    WorkerLog file =
        new WorkerLog(config.logDir().resolve("worker-" + id + ".log"), WorkerLog.MAX_BYTES);
    WorkerProcess process =
        new WorkerProcess(id, file, job.getLogToDriver() ? log : null, new Watch(worker));
    processes.put(worker, process);
    Thread.startVirtualThread(() -> process.launch(() -> builder(start, job, process::isKilled)));
  }

  /** Hears of one process. */
  private final class Watch implements WorkerProcess.Listener {
    private final long worker;

    Watch(long worker) {
      this.worker = worker;
    }

    @Override
    public void runs() {
      listener.runs(worker);
    }

    @Override
    public void gone(String reason, boolean outOfMemory, boolean byItself) {
      deleteSettings(worker);
      deleteDirectory(worker);
      started.put(worker, readJournal(worker));
      processes.remove(worker);
      listener.gone(worker, reason, outOfMemory, byItself);
    }
  }

  /** Kills a process; returns at once. */
  void kill(long worker) {
    WorkerProcess process = processes.get(worker);
    if (process != null) {
      process.kill();
    }
  }

  /**
   * Kills all, when nobody is there any more who could do it in order.
   *
   * @return whether all have ended in time
   */
  boolean killAll(long timeoutMs) throws InterruptedException {
    List<WorkerProcess> all = List.copyOf(processes.values());
    all.forEach(WorkerProcess::kill);
    long deadlineNanos = System.nanoTime() + timeoutMs * 1_000_000;
    boolean ended = true;
    for (WorkerProcess process : all) {
      long leftMs = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
      ended &= process.awaitEnd(leftMs);
    }
    return ended;
  }

  // ---- how a process is made ------------------------------------------------------------------

  private ProcessBuilder builder(StartWorker start, JobHello job, BooleanSupplier givenUp)
      throws IOException {
    List<CodeFile> files = new ArrayList<>(jars(start, job));
    files.addAll(job.getCode().getFilesList());
    List<Path> paths = code.use(start.owner(), files, givenUp);
    Path directory = directory(start, job, givenUp);
    WorkerSettings settings =
        new WorkerSettings(
            idOf(start.worker()),
            WireForms.address(hostForWorkers(), directPort),
            WireForms.address(config.advertisedHost(), port),
            config.token(),
            config.sessionId(),
            start.owner(),
            paths,
            config.bindHost(),
            config.advertisedHost(),
            config.logDir(),
            storeFile,
            journal(start.worker()),
            config.tls().map(ClusterTls::files));
    Path file = settingsFile(start.worker());
    settings.write(file);
    ProcessBuilder builder = new ProcessBuilder();
    builder.directory(directory.toFile());
    environment(builder.environment(), start, job);
    builder.command(command(start, job, file, builder.environment()));
    return builder;
  }

  /** What the key says goes over what the job says, as a whole. */
  private static List<CodeFile> jars(StartWorker start, JobHello job) {
    return start.key().files().isEmpty()
        ? job.getJarsList()
        : start.key().files().stream().map(WireForms::codeFile).toList();
  }

  /** Unpacks the directory that the process starts in, if it has one of its own. */
  private Path directory(StartWorker start, JobHello job, BooleanSupplier givenUp)
      throws IOException {
    WorkerFile own = start.key().workingDirectory();
    if (own == null && !job.hasWorkingDirectory()) {
      return config.sessionDir();
    }
    CodeFile archive = own == null ? job.getWorkingDirectory() : WireForms.codeFile(own);
    Path packed = code.use(start.owner(), List.of(archive), givenUp).getFirst();
    Path directory = directoryOf(start.worker());
    Files.createDirectory(directory, OWN_DIRECTORY);
    WorkingDirectory.unpack(packed, directory);
    return directory;
  }

  private List<String> command(
      StartWorker start, JobHello job, Path settings, Map<String, String> environment) {
    NodeConfig.WorkerCommand workers = config.workers();
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // A session of its own: what it starts can be found when it has gone, and a key that is
      // pressed in the terminal of the daemon does not reach it.
      command.add(SETSID.toString());
    }
    command.add(workers.java().toString());
    List<String> own = start.key().jvmOptions();
    List<String> options =
        JvmOptions.joined(workers.jvmOptions(), own.isEmpty() ? job.getJvmOptionsList() : own);
    command.addAll(options);
    if (JvmOptions.goWithCache(options, environment)) {
      command.addAll(workers.cacheOptions());
    }
    command.add(
        "-XX:ErrorFile=" + config.logDir().resolve("crash-" + idOf(start.worker()) + ".log"));
    command.add("-cp");
    command.add(workers.classPath());
    command.add(workers.mainClass());
    command.add(settings.toString());
    return command;
  }

  private void environment(Map<String, String> environment, StartWorker start, JobHello job) {
    environment.keySet().removeIf(name -> name.startsWith(OURS) && !name.equals(NODE_DIR));
    putAll(environment, job.getEnvMap());
    putAll(environment, start.key().env());
    if (!config.gpuIds().isEmpty()) {
      // Not even a job that says otherwise sees a device that it does not hold.
      environment.put(GPUS, String.join(",", start.gpuIds()));
    }
    environment.put(ProcessTree.MARK, idOf(start.worker()));
  }

  private static void putAll(Map<String, String> environment, Map<String, String> more) {
    more.forEach((name, value) -> {
      if (!name.startsWith(OURS)) {
        environment.put(name, value);
      }
    });
  }

  // ---- what had started ------------------------------------------------------------------------

  private Path journal(long worker) {
    Path directory = storeFile.isEmpty() ? settingsDir : Path.of(storeFile).toAbsolutePath();
    return storeFile.isEmpty()
        ? directory.resolve(idOf(worker) + ".started")
        : directory.resolveSibling(idOf(worker) + ".started");
  }

  private Optional<List<Long>> readJournal(long worker) {
    Path file = journal(worker);
    try {
      return Optional.of(StartJournal.read(file));
    } catch (IOException e) {
      LOG.debug("{} has no journal: {}", idOf(worker), e.toString());
      return Optional.empty();
    } finally {
      delete(file);
    }
  }

  /**
   * Returns the numbers of what had started last in a process that is gone, if they are known; once
   * for each process that is gone.
   */
  Optional<List<Long>> takeStarted(long worker) {
    Optional<List<Long>> numbers = started.remove(worker);
    return numbers == null ? Optional.empty() : numbers;
  }

  // ---- files ----------------------------------------------------------------------------------

  private Path settingsFile(long worker) {
    return settingsDir.resolve(idOf(worker) + ".properties");
  }

  /** Deletes the file with the settings, which the process has read. */
  void deleteSettings(long worker) {
    delete(settingsFile(worker));
  }

  private Path directoryOf(long worker) {
    return settingsDir.resolve(idOf(worker) + ".dir");
  }

  private void deleteDirectory(long worker) {
    Path directory = directoryOf(worker);
    try {
      NodeDirectory.deleteAll(directory);
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", directory, e.toString());
    }
  }

  /** Deletes what was made in the session directory. */
  void deleteFiles() {
    delete(settingsDir);
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException e) {
      LOG.debug("{} is left: {}", path, e.toString());
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", path, e.toString());
    }
  }
}
