package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.relay.SlowNetwork;
import io.aktis.cluster.session.NodeLauncher.Tethered;
import io.aktis.cluster.session.NodeRequest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Runs a cluster of several nodes on this machine, for rehearsals. */
@Command(
    name = "cluster",
    description = {
      "Run a cluster of several nodes on this machine, to rehearse what a program does on many.",
      "",
      "The nodes are daemons as 'aktis start' starts them, on the loopback address. They end with"
          + " this command, which stays in the foreground until Ctrl-C, SIGTERM or 'aktis stop',"
          + " and nothing is left of them. --kill-every, --latency and --bandwidth imitate machines"
          + " that fail and a network that is bad.",
      "",
      "TIME is such as 20ms or 5s, RATE such as 5MB/s or 100mbit, SIZE such as 512MiB."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis cluster --nodes 4 --cpus 2",
      "  aktis cluster --port 0 --json",
      "  aktis cluster --nodes 5 --kill-every 10s --seed 42",
      "  aktis cluster --latency 20ms --bandwidth 100mbit"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:'aktis stop' has ended the cluster.",
      "1:It could not be started, or the head has died; standard error says why.",
      "2:The command line was wrong.",
      "130:Ctrl-C has ended the cluster.",
      "143:SIGTERM has ended the cluster."
    })
final class LocalClusterCommand extends ClusterCommand {
  private static final long OBJECT_STORE_BYTES = 512L << 20;

  /** The commands that ask all nodes for their status wait two seconds, for four ways. */
  private static final Duration MAX_LATENCY = Duration.ofMillis(300);

  private static final Duration LEAST_KILL_EVERY = Duration.ofSeconds(1);

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      converter = NodeCount.class,
      description = "How many nodes, the head included [${DEFAULT-VALUE}].")
  private int nodes;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      converter = Amounts.Cpus.class,
      description = "CPUs of each node [its share of this machine, at least 1].")
  private @Nullable Double cpus;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      defaultValue = "0",
      converter = Amounts.Gpus.class,
      description = "GPUs of each node, all the same ones [${DEFAULT-VALUE}].")
  private int gpus;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Amounts.Bytes.class,
      description = "Memory that work can reserve on each node [its share of half the machine].")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--resources",
      paramLabel = "NAME=N",
      split = ",",
      converter = {StartCommand.TextConverter.class, Amounts.Custom.class},
      description = "Other resources of each node.")
  private Map<String, Double> resources = new LinkedHashMap<>();

  @Option(
      names = "--labels",
      paramLabel = "NAME=VALUE",
      split = ",",
      description = "Labels of each node.")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--object-store-memory",
      paramLabel = "SIZE",
      converter = Amounts.Bytes.class,
      description = "Memory for objects on each node [512MiB].")
  private long objectStoreBytes = OBJECT_STORE_BYTES;

  @Option(
      names = "--store-dir",
      paramLabel = "DIR",
      description = "Where the memory for objects is mapped [/dev/shm].")
  private @Nullable Path storeDir;

  @Option(
      names = "--port",
      paramLabel = "N",
      converter = Amounts.Port.class,
      description = "Port of the services of the head, 0 for any [" + StartCommand.HEAD_PORT + "].")
  private int port = StartCommand.HEAD_PORT;

  @Option(
      names = "--kill-every",
      paramLabel = "TIME",
      converter = Amounts.Time.class,
      description =
          "Kill a node other than the head with SIGKILL, again and again, and start a new one in"
              + " its place.")
  private @Nullable Duration killEvery;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Chooses the nodes to kill: the same seed, the same order [any].")
  private @Nullable Long seed;

  @Option(
      names = "--latency",
      paramLabel = "TIME",
      converter = Amounts.Time.class,
      description =
          "Delay what goes to each node and worker, and what comes back, by so much; up to 300ms."
              + " Work and objects only: how nodes watch each other is not changed.")
  private @Nullable Duration latency;

  @Option(
      names = "--bandwidth",
      paramLabel = "RATE",
      converter = Amounts.Rate.class,
      description =
          "Let so much through to each node and worker, and as much back. Work and objects"
              + " only.")
  private @Nullable Long bytesPerSecond;

  @Option(names = "--json", description = "Print one JSON object when all nodes are ready.")
  private boolean json;

  @Override
  int run() throws IOException, InterruptedException {
    check();
    try (LocalNodes cluster = new LocalNodes(this::request, networkOptions())) {
      cluster.start(nodes);
      tell(cluster);
      awaitEnd(cluster);
    }
    return ExitCode.OK;
  }

  private void check() {
    if (killEvery != null && nodes < 2) {
      throw new IllegalArgumentException("--kill-every needs a node beside the head to kill");
    }
    if (killEvery != null && killEvery.compareTo(LEAST_KILL_EVERY) < 0) {
      throw new IllegalArgumentException("--kill-every is at least 1s: a start takes as long");
    }
    if (killEvery == null && seed != null) {
      throw new IllegalArgumentException("--seed chooses what --kill-every kills");
    }
    if (latency != null && latency.compareTo(MAX_LATENCY) > 0) {
      throw new IllegalArgumentException(
          "--latency is at most 300ms: nodes that answer later count as dead");
    }
  }

  private List<String> networkOptions() {
    if (latency == null && bytesPerSecond == null) {
      return List.of();
    }
    return new SlowNetwork(
            latency == null ? Duration.ZERO : latency,
            bytesPerSecond == null ? SlowNetwork.UNLIMITED : bytesPerSecond)
        .jvmOptions();
  }

  private NodeRequest request(String join) {
    return new NodeRequest(
        join,
        new NodeRequest.Listen(null, null, join.isEmpty() ? port : 0, 0, 0),
        new NodeRequest.Amounts(
            cpus != null ? cpus : shareOfCpus(),
            gpus,
            memoryBytes != null ? memoryBytes : shareOfMemory(),
            resources,
            labels,
            objectStoreBytes),
        new NodeRequest.Files(storeDir, null, null, null, networkOptions()),
        join.isEmpty() ? ControlPlace.parse(ControlPlace.MEMORY) : null);
  }

  private double shareOfCpus() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / nodes);
  }

  private Long shareOfMemory() {
    long machineBytes =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : Runtime.getRuntime().maxMemory();
    return machineBytes / 2 / nodes;
  }

  // ---- what is told -----------------------------------------------------------------------

  private void tell(LocalNodes cluster) throws IOException {
    String session = cluster.all().getFirst().node().settings().sessionId();
    if (json) {
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("session", session);
      map.put("address", cluster.address());
      map.put("nodes", cluster.all().stream().map(LocalClusterCommand::toMap).toList());
      out().println(JSON.std.asString(map));
    } else {
      print(cluster, session);
    }
    out().flush();
    cluster.all().stream()
        .map(node -> node.node().note())
        .filter(note -> !note.isEmpty())
        .findFirst()
        .ifPresent(note -> note("Note: " + note + "."));
  }

  private static Map<String, Object> toMap(Tethered node) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("node", node.node().ready().nodeId());
    map.put("address", node.node().ready().address());
    map.put("pid", node.node().ready().process().pid());
    map.put("log", node.node().directory().log().toString());
    return map;
  }

  private void print(LocalNodes cluster, String session) {
    String door = cluster.address();
    Path logs = cluster.all().getFirst().node().directory().path().resolveSibling("N");
    out()
        .println(
            (nodes == 1 ? "1 node is ready" : nodes + " nodes are ready")
                + " at "
                + door
                + ", in the cluster of session "
                + session
                + ".");
    out().println("  use    aktis demo --address " + door);
    out().println("         AKTIS_ADDRESS=aktis://" + door + " java -jar program.jar");
    out().println("  look   aktis status --address " + door);
    out().println("  end    Ctrl-C, or: aktis stop --session " + session);
    out().println("  logs   " + logs.resolve("daemon.log"));
  }

  private void note(String line) {
    err().println(line);
    err().flush();
  }

  // ---- what happens -----------------------------------------------------------------------

  /** Waits for the end of the head; kills and tells what there is to tell until then. */
  private void awaitEnd(LocalNodes cluster) throws InterruptedException {
    NodeKiller killer = killEvery == null ? null : killer(cluster, killEvery);
    while (true) {
      long waitNs = killer == null ? Long.MAX_VALUE : killer.waitNs();
      Tethered gone = cluster.awaitEnd(waitNs);
      if (gone != null) {
        if (ended(cluster, gone)) {
          return;
        }
      } else if (killer != null) {
        killer.killOne();
      }
    }
  }

  private NodeKiller killer(LocalNodes cluster, Duration every) {
    long chosen = seed != null ? seed : System.nanoTime() & 0xffff_ffffL;
    note(
        "A node is killed every "
            + every.toMillis() / 1e3
            + " s; --seed "
            + chosen
            + " chooses the same ones.");
    return new NodeKiller(cluster, every, chosen, this::note);
  }

  /** Returns whether it was the head, with which all end. */
  private boolean ended(LocalNodes cluster, Tethered node) throws InterruptedException {
    int code = node.node().process().exitValue();
    List<String> lines = node.node().directory().lastLines(Foreground.SHOWN_LINES);
    boolean isHead = cluster.isHead(node);
    boolean byItself = cluster.forget(node);
    if (code == 0 || !byItself) {
      return isHead;
    }
    String what = NodeKiller.name(node) + " died with code " + code + Foreground.output(lines);
    if (isHead) {
      throw new CommandFailure(ExitCode.FAILED, "the head " + what, "");
    }
    note(what);
    return false;
  }

  /** A number of nodes. */
  static final class NodeCount implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 1, 64);
    }
  }
}
