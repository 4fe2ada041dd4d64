package io.aktis.cluster.session;

import io.aktis.cluster.session.NodeSettings.Network;
import io.aktis.cluster.session.NodeSettings.Places;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.wire.message.StatusReply;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts a node on this machine: a process of its own that goes on when this one ends. What cannot
 * work is found before anything is started where that is possible, and told with the last lines of
 * the daemon otherwise; a start that fails leaves nothing but the file with these lines. Methods
 * wait; confined to one thread.
 */
public final class NodeLauncher {
  private static final String MAIN_CLASS = "io.aktis.cluster.NodeMain";
  private static final long START_TIMEOUT_MS = 60_000;
  private static final long POLL_MS = 20;
  private static final int SHOWN_LINES = 20;
  private static final String OPTIONS_VARIABLE = "AKTIS_NODE_JAVA_OPTS";

  /**
   * The daemon never runs user code and keeps objects outside of the heap, so its heap is small;
   * one that is full must not linger half alive.
   */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseCompactObjectHeaders",
          "-XX:+UseSerialGC",
          "-Xmx512m",
          "-XX:+ExitOnOutOfMemoryError",
          // Four times as late as usual: code that only its start runs is not compiled a second
          // time.
          "-XX:Tier4InvocationThreshold=20000",
          "-XX:Tier4MinInvocationThreshold=2400",
          "-XX:Tier4CompileThreshold=60000",
          "-XX:Tier4BackEdgeThreshold=160000");

  private final SessionDirectory directory;
  private final String classPath;
  private final List<String> jvmOptions;

  /** Makes a launcher for the clusters of this user; daemons have the class path of this JVM. */
  public NodeLauncher() {
    this(System.getProperty("java.class.path"));
  }

  /**
   * Makes a launcher for the clusters of this user.
   *
   * @param classPath that of daemons and workers: the engine with its libraries
   */
  public NodeLauncher(String classPath) {
    this(classPath, List.of());
  }

  /**
   * Makes a launcher for the clusters of this user.
   *
   * @param classPath that of daemons and workers: the engine with its libraries
   * @param jvmOptions more options of the JVM of daemons; those of workers are in the request
   */
  public NodeLauncher(String classPath, List<String> jvmOptions) {
    directory = SessionDirectory.open();
    this.classPath = classPath;
    this.jvmOptions = List.copyOf(jvmOptions);
  }

  /**
   * A node that was started.
   *
   * @param directory its directory
   * @param settings what it was told
   * @param ready what it told when it was ready
   * @param process its daemon, a child of this process
   * @param note what its user should know about where it was started, in a line; empty for nothing
   */
  public record Started(
      NodeDirectory directory,
      NodeSettings settings,
      ReadyNode ready,
      Process process,
      String note) {}

  /**
   * A node that ends when this JVM does.
   *
   * @param node the node
   * @param tether what ties it
   */
  public record Tethered(Started node, NodeTether tether) {}

  /**
   * Starts a node that lives on when this JVM ends; returns when it can take work. If the JVM is
   * told to end before that, nothing is left of the node.
   *
   * @throws IllegalArgumentException when the request makes no sense; the message says why
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  public Started start(NodeRequest request) throws InterruptedException {
    Tethered tethered = startTethered(request);
    if (!tethered.tether().release()) {
      throw brokenOff();
    }
    return tethered.node();
  }

  /**
   * Starts a node that ends when this JVM does, whenever that is; returns when it can take work.
   *
   * @throws IllegalArgumentException when the request makes no sense; the message says why
   * @throws IllegalStateException when it cannot be started; the message says why
   */
  public Tethered startTethered(NodeRequest request) throws InterruptedException {
    directory.removeStale();
    NodePlan plan = new NodePlan(request, directory.liveNodes());
    Path tokenFile = request.files().tokenFile();
    Path tlsDir = request.files().tlsDir();
    ClusterAccess target = null;
    Optional<ClusterTls> tls;
    if (!request.join().isEmpty()) {
      target = LocalCluster.find(request.join(), tokenFile, tlsDir);
      tls = target.tls();
    } else {
      tls = TlsPlaces.wanted(tlsDir);
      if (tokenFile != null) {
        SessionDirectory.readToken(tokenFile);
      }
    }
    Network network = plan.network(target == null ? null : target.address());
    HeadPlan head =
        target == null
            ? HeadPlan.ofHead(directory, request.control())
            : HeadPlan.ofJoining(sessionAt(target), request.control());
    NodeDirectory node = directory.addNode(head.session());
    NodeTether tether = tie(node, !head.isKnown());
    boolean started = false;
    try {
      StorePlan store = plan.store(node);
      Places places =
          plan.places(node, store, tokenFile(node, tokenFile, target), tls.map(ClusterTls::files));
      NodeSettings settings =
          new NodeSettings(
              head.session(),
              target == null,
              network,
              plan.capacity(store.bytes()),
              places,
              request.files().workerJvmOptions(),
              head.control());
      Started result = launch(node, settings, store.note(), tether);
      started = true;
      return new Tethered(result, tether);
    } catch (IOException e) {
      throw tether.isCut() ? brokenOff() : cannotWrite(node, e);
    } catch (IllegalStateException e) {
      throw tether.isCut() ? brokenOff() : e;
    } finally {
      if (!started) {
        tether.kill();
      }
    }
  }

  private NodeTether tie(NodeDirectory node, boolean forgets) {
    try {
      return NodeTether.tie(directory, node, forgets);
    } catch (IllegalStateException tooLate) {
      directory.removeNode(node, forgets);
      throw brokenOff();
    }
  }

  private static IllegalStateException brokenOff() {
    return new IllegalStateException("the start was broken off: this process was told to end");
  }

  private static IllegalStateException cannotWrite(NodeDirectory node, IOException e) {
    return new IllegalStateException(
        "cannot write to " + node.path() + ": " + SessionDirectory.reason(e), e);
  }

  private static String sessionAt(ClusterAccess target) {
    try (ClusterClient client = ClusterClient.open(target)) {
      StatusReply status = client.status(true);
      if (!HeadPlan.isSession(status.getSessionId())) {
        throw new IllegalStateException(
            target + " tells '" + status.getSessionId() + "' as its session, which is no id");
      }
      return status.getSessionId();
    }
  }

  /** Finds the file with the token; one that came in a variable is written to a file first. */
  private Path tokenFile(NodeDirectory node, @Nullable Path chosen, @Nullable ClusterAccess target)
      throws IOException {
    if (chosen != null) {
      return chosen;
    }
    String token = target != null ? target.token() : LocalCluster.givenToken().orElse("");
    if (token.isEmpty() || token.equals(directory.token())) {
      directory.token(); // makes it when this is the first start
      return directory.tokenFile();
    }
    Path file = node.path().resolve("token");
    PropertiesFile.writeText(file, token + "\n");
    return file;
  }

  // ---- the process ------------------------------------------------------------------------

  private Started launch(NodeDirectory node, NodeSettings settings, String note, NodeTether tether)
      throws IOException, InterruptedException {
    settings.write(node.settingsFile());
    NodePlan.make(settings.places());
    ProcessBuilder builder =
        new ProcessBuilder(commandLine(node.settingsFile()))
            .redirectInput(new File("/dev/null"))
            // Not redirectErrorStream, which keeps a pipe open in this process as long as that
            // lives.
            .redirectError(ProcessBuilder.Redirect.appendTo(node.log().toFile()))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(node.log().toFile()));
    builder.environment().put(NodeProcesses.NODE_VARIABLE, node.path().toString());
    builder.environment().put("AKTIS_HOME_DIR", directory.base().toString());
    // The token is in a file; in the environment every child of the daemon would have it.
    builder.environment().remove(LocalCluster.TOKEN_VARIABLE);
    builder.environment().remove(HeadPlan.VARIABLE);
    Process process = tether.start(builder);
    ReadyNode ready = awaitReady(node, process);
    directory.setCurrent(new SessionDirectory.Current(settings.sessionId(), ready.address()));
    return new Started(node, settings, ready, process, note);
  }

  private List<String> commandLine(Path settingsFile) {
    List<String> line = new ArrayList<>();
    setsid().ifPresent(line::add);
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(JVM_OPTIONS);
    line.addAll(AotCache.options(AotCache.NODE));
    line.addAll(AotCache.handedOn());
    line.addAll(jvmOptions);
    String options = System.getenv(OPTIONS_VARIABLE);
    if (options != null && !options.isBlank()) {
      line.addAll(Arrays.asList(options.strip().split("\\s+")));
    }
    line.add("-cp");
    line.add(classPath);
    line.add(System.getProperty("aktis.node.main", MAIN_CLASS));
    line.add(settingsFile.toString());
    return line;
  }

  /** A session of its own, so that no Ctrl-C and no closed terminal of this process reaches it. */
  private static Optional<String> setsid() {
    for (String folder : List.of("/usr/bin", "/bin")) {
      Path file = Path.of(folder, "setsid");
      if (Files.isExecutable(file)) {
        return Optional.of(file.toString());
      }
    }
    return Optional.empty();
  }

  private ReadyNode awaitReady(NodeDirectory node, Process process)
      throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_TIMEOUT_MS);
    while (true) {
      boolean ended = process.waitFor(POLL_MS, TimeUnit.MILLISECONDS);
      Optional<ReadyNode> ready = node.ready();
      Optional<String> failed = node.failed();
      if (failed.isPresent()) {
        throw failure(node, "the node could not be started: " + failed.get(), List.of());
      }
      if (ended) {
        throw failure(
            node,
            "the node ended while it was starting, with code " + process.exitValue(),
            node.lastLines(SHOWN_LINES));
      }
      if (ready.isPresent()) {
        return ready.get();
      }
      if (System.nanoTime() >= deadlineNs) {
        throw failure(
            node,
            "the node was not ready within " + START_TIMEOUT_MS / 1_000 + " s and was ended",
            node.lastLines(SHOWN_LINES));
      }
    }
  }

  /**
   * Keeps the output of a daemon that could not start.
   *
   * @param lines the end of it, to be shown; empty where it is known what went wrong
   */
  private IllegalStateException failure(NodeDirectory node, String what, List<String> lines)
      throws IOException {
    if (!Files.exists(node.log())) {
      return new IllegalStateException("the node was stopped by somebody while it was starting");
    }
    Path kept = directory.base().resolve("last-failed-start.log");
    Files.copy(node.log(), kept, StandardCopyOption.REPLACE_EXISTING);
    StringBuilder message =
        new StringBuilder(what).append("\nAll of its output is in ").append(kept);
    if (!lines.isEmpty()) {
      message.append("; the last lines are");
      lines.forEach(line -> message.append("\n    ").append(line));
    }
    return new IllegalStateException(message.toString());
  }
}
