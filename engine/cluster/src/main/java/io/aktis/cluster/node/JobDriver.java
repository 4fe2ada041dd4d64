package io.aktis.cluster.node;

import io.aktis.RuntimeEnv;
import io.aktis.cluster.code.WorkingDirectory;
import io.aktis.cluster.node.NodeCode.Held;
import io.aktis.cluster.session.JobEnvironment;
import io.aktis.cluster.session.NodeDirectory;
import io.aktis.core.job.JobId;
import io.aktis.wire.message.SubmitJob;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One submitted job outside of the machine that decides about it: its code, its directory, its log
 * and its process. Thread-safe.
 *
 * <pre>
 * jobs/job-7/
 *   work/                 the working directory of the program, from the one it was submitted with
 *   environment           what else it was submitted with, see {@link JobEnvironment}
 *   output-OFFSET.log     what it prints, see {@link JobLog}
 * </pre>
 */
final class JobDriver {
  private static final Logger LOG = LoggerFactory.getLogger(JobDriver.class);
  private static final Path SETSID = Path.of("/usr/bin/setsid");
  private static final String MAIN_CLASS = "io.aktis.cluster.JobMain";

  /**
   * Every process of a job inherits this variable with the directory of the job, which is its own.
   */
  private static final String MARK = JobEnvironment.JOB_DIR;

  private static final int BUFFER_BYTES = 16 << 10;

  /** Variables of ours that the driver has as the daemon has them: how both are found. */
  private static final List<String> KEPT = List.of("AKTIS_NODE_DIR", "AKTIS_HOME_DIR");

  /** Variables that belong to the engine, so that no job can set them. */
  static final String OURS = "AKTIS_";

  /** As of the launcher of programs, see decision 0020; a full heap must not linger half alive. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseCompactObjectHeaders",
          "-XX:+UseParallelGC");

  private final JobId id;
  private final SubmitJob spec;
  private final Held code;
  private final Path directory;
  private final JobLog log;
  private final ChildProcess process;

  /** Hears of the process: that it runs and then that it is gone, or that it cannot be started. */
  interface Listener {
    void started(long pid);

    void failed(String reason);

    /** The process is gone with all that it has started, and what it printed is in the log. */
    void ended(int exitCode);
  }

  /**
   * Makes one that is not started.
   *
   * @param code its code, let go when the process is gone
   * @param directory its own, made when it starts
   */
  JobDriver(JobId id, SubmitJob spec, Held code, Path directory, Listener listener) {
    this.id = id;
    this.spec = spec;
    this.code = code;
    this.directory = directory;
    this.log = new JobLog(directory, JobLog.MAX_BYTES);
    this.process =
        new ChildProcess(id.toString(), MARK + "=" + directory, new Logged(log, listener));
  }

  SubmitJob spec() {
    return spec;
  }

  JobLog log() {
    return log;
  }

  ChildProcess process() {
    return process;
  }

  /** Starts the process; returns at once. The listener hears what comes of it. */
  void start(NodeConfig config, String address) {
    Thread.startVirtualThread(() -> process.launch(() -> builder(config, address)));
  }

  /** The job is over: its code is not needed any more, and nothing is added to its log. */
  void over() {
    code.close();
    log.over();
  }

  /** Keeps what the process prints, and passes on what becomes of it. */
  private record Logged(JobLog log, Listener listener) implements ChildProcess.Listener {
    @Override
    public void started(long pid) {
      listener.started(pid);
    }

    @Override
    public void read(long pid, boolean error, InputStream output) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int count = output.read(buffer); count >= 0; count = output.read(buffer)) {
        log.write(buffer, count);
      }
    }

    @Override
    public void failed(String reason) {
      log.close();
      listener.failed(reason);
    }

    @Override
    public void ended(long pid, int exitCode) {
      log.close();
      listener.ended(exitCode);
    }
  }

  // ---- how the process is made ----------------------------------------------------------------

  private ProcessBuilder builder(NodeConfig config, String address) throws IOException {
    NodeDirectory.deleteAll(directory); // of a job that was never taken, by a head before this one
    Path work = Files.createDirectories(directory.resolve("work"));
    if (spec.hasWorkingDirectory()) {
      WorkingDirectory.unpack(code.paths().getLast(), work);
    }
    JobEnvironment.write(directory, runtimeEnv());
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      // A session of its own: what it starts can be found when it has gone.
      command.add(SETSID.toString());
    }
    command.add(config.workers().java().toString());
    command.addAll(
        JvmOptions.joined(JVM_OPTIONS, spec.getJvmOptionsList(), spec.getDriverJvmOptionsList()));
    command.add("-XX:ErrorFile=" + config.logDir().resolve("crash-" + id + ".log"));
    command.add("-cp");
    command.add(classPath(config));
    command.add(MAIN_CLASS);
    command.add(spec.getMainClass());
    command.addAll(spec.getArgumentsList());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(work.toFile());
    builder.redirectErrorStream(true); // as a terminal shows it, in the order of printing
    environment(builder.environment(), address);
    return builder;
  }

  /** The engine comes first: as with {@code aktis run}, its own copy in a program is not used. */
  private String classPath(NodeConfig config) {
    List<String> entries = new ArrayList<>();
    entries.add(config.workers().classPath());
    code.paths()
        .subList(0, spec.getCode().getFilesCount())
        .forEach(path -> entries.add(path.toString()));
    return String.join(File.pathSeparator, entries);
  }

  /** What its workers have as well; further jars come to them with its class path. */
  private RuntimeEnv runtimeEnv() {
    RuntimeEnv environment =
        new RuntimeEnv(spec.getEnvMap(), List.of(), spec.getJvmOptionsList(), Optional.empty());
    return spec.hasWorkingDirectory()
        ? environment.workingDirectory(code.paths().getLast())
        : environment;
  }

  private void environment(Map<String, String> environment, String address) {
    environment.keySet().removeIf(name -> name.startsWith(OURS) && !KEPT.contains(name));
    environment.putAll(spec.getEnvMap());
    // The token is found through the directory of the node, from a file; see LocalCluster.
    environment.put("AKTIS_ADDRESS", "aktis://" + address);
    environment.put("AKTIS_JOB_ID", id.toString());
    environment.put(MARK, directory.toString());
  }

  // ---- files ----------------------------------------------------------------------------------

  /** Deletes a directory and what is in it, as far as that can be done; links are not followed. */
  static void delete(Path directory) {
    try {
      NodeDirectory.deleteAll(directory);
    } catch (IOException e) {
      LOG.warn("{} cannot be deleted: {}", directory, e.toString());
    }
  }
}
