package io.aktis.acceptance;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster that the commands have started on this machine, on ports that were free. Closing it
 * stops it with the command, and fails when anything of it is left. Confined to one thread.
 */
final class RealCluster implements AutoCloseable {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  private final Machine machine;
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private boolean stopped;

  /** A node as {@code aktis start --json} tells it. */
  record Node(String session, String id, String address, String controlAddress, long pid) {
    /** Starts one with these options. */
    static Node start(Machine machine, List<String> options) {
      List<String> line = new ArrayList<>(List.of("start", "--json"));
      line.addAll(options);
      return of(machine.mustAktis(line.toArray(String[]::new)));
    }

    static Node of(String json) {
      Map<String, Object> told = parse(json);
      return new Node(
          (String) told.get("session"),
          (String) told.get("node"),
          (String) told.get("address"),
          (String) told.get("controlAddress"),
          ((Number) told.get("pid")).longValue());
    }

    Set<Integer> ports() {
      return Set.of(port(), controlPort());
    }

    int port() {
      return port(address);
    }

    int controlPort() {
      return port(controlAddress);
    }

    private static int port(String address) {
      return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    boolean isAlive() {
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** Sends a signal to the daemon. */
    void signal(String name) {
      try {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
        if (code != 0) {
          throw new AssertionError("kill -" + name + " " + pid + " ended with " + code);
        }
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private RealCluster(Machine machine) {
    this.machine = machine;
  }

  /** Starts nodes of so many CPUs each; the first one is the head. */
  static RealCluster start(int count, int cpus, String... more) {
    return startOn(Machine.here(), count, cpus, more);
  }

  /** Starts nodes on a machine, which is closed with the cluster. */
  static RealCluster startOn(Machine machine, int count, int cpus, String... more) {
    RealCluster cluster = new RealCluster(machine);
    boolean started = false;
    try {
      cluster.add(true, cpus, more);
      cluster.join(count - 1, cpus, more);
      started = true;
      return cluster;
    } finally {
      if (!started) {
        cluster.machine.close();
      }
    }
  }

  /** Starts nodes that join, all at once. */
  private void join(int count, int cpus, String... more) {
    List<CompletableFuture<Node>> joining =
        IntStream.range(0, count)
            .mapToObj(_ -> CompletableFuture.supplyAsync(() -> startNode(false, cpus, more)))
            .toList();
    joining.forEach(node -> nodes.add(node.join()));
  }

  private void add(boolean head, int cpus, String... more) {
    nodes.add(startNode(head, cpus, more));
  }

  private Node startNode(boolean head, int cpus, String... more) {
    List<String> line = new ArrayList<>(List.of("--port", "0"));
    line.addAll(head ? List.of("--head") : List.of("--address", nodes.getFirst().address));
    line.addAll(List.of("--cpus", Integer.toString(cpus)));
    line.addAll(List.of(more));
    if (!line.contains("--object-store-memory")) {
      line.addAll(List.of("--object-store-memory", "256m"));
    }
    return Node.start(machine, line);
  }

  /**
   * Starts one more node with a command of one's own; options without which tests would be in each
   * other's way are added.
   */
  Node startMore(String... line) {
    Node node = startOne(machine, "256m", line);
    nodes.add(node);
    return node;
  }

  /** Starts a node of one CPU on a port that is free, with a store of that size. */
  static Node startOne(Machine machine, String store, String... more) {
    List<String> line = new ArrayList<>(List.of("--port", "0", "--cpus", "1"));
    line.addAll(List.of("--object-store-memory", store));
    line.addAll(List.of(more));
    return Node.start(machine, line);
  }

  Machine machine() {
    return machine;
  }

  List<Node> nodes() {
    return nodes;
  }

  Node node(String id) {
    return nodes.stream().filter(node -> node.id.equals(id)).findFirst().orElseThrow();
  }

  /** Returns what {@code aktis status --json} says. */
  Map<String, Object> status() {
    return parse(machine.mustAktis("status", "--json", "--address", nodes.getFirst().address));
  }

  /** Opens a session of this JVM as a driver of the cluster. */
  AktisSession open() {
    System.setProperty("aktis.home.dir", machine.home().toString());
    return Aktis.open(options -> options.address("aktis://" + nodes.getFirst().address));
  }

  /** Returns the processes of the cluster: daemons, workers, and what these have started. */
  List<ProcessHandle> processes() {
    return ProcFiles.processesOfNodes(machine.home());
  }

  long workers() {
    return processes().stream()
        .filter(process ->
            ProcFiles.mainClass(process.pid()).equals("io.aktis.cluster.worker.WorkerMain"))
        .count();
  }

  /** Waits until no worker is left, as it is when no driver is there. */
  void awaitNoWorkers(java.time.Duration limit) {
    Await.until("no worker to be left", limit, () -> workers() == 0, () -> workers() + " are left");
  }

  /** Stops it with the command, and checks that nothing is left of it. */
  void stop() {
    stop(10);
  }

  /** Stops it, with so much time for work to end. */
  void stop(int graceSeconds) {
    if (!stopped) {
      machine.mustAktis("stop", "--grace", Integer.toString(graceSeconds));
      stopped = true;
    }
    checkNothingLeft();
  }

  private void checkNothingLeft() {
    List<String> left = new ArrayList<>();
    processes()
        .forEach(process -> left.add(process.pid() + " " + ProcFiles.mainClass(process.pid())));
    Set<Integer> ports = new TreeSet<>();
    nodes.forEach(node -> ports.addAll(node.ports()));
    ports.retainAll(ProcFiles.listeningPorts(ProcessHandle.current().pid()));
    ports.forEach(port -> left.add("somebody listens on port " + port));
    String session = nodes.getFirst().session;
    list(SHARED_MEMORY).filter(file -> file.toString().contains(session)).forEach(left::add);
    Set<String> mayStay = Set.of("lock", "token", "sessions", "last-failed-start.log");
    list(machine.home()).filter(file -> !mayStay.contains(fileName(file))).forEach(left::add);
    list(machine.home().resolve("sessions")).forEach(left::add);
    if (!left.isEmpty()) {
      throw new AssertionError("the cluster has left:\n  " + String.join("\n  ", left));
    }
  }

  private static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static Stream<String> list(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Map<String, Object> parse(String json) {
    try {
      return JSON.std.mapFrom(json);
    } catch (IOException e) {
      throw new AssertionError("not JSON: " + json, e);
    }
  }

  @Override
  public void close() {
    try {
      stop();
    } finally {
      machine.close();
    }
  }
}
