package io.aktis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.benchmarks.macro.Clusters;
import io.aktis.benchmarks.macro.Setting;
import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.relay.SlowNetwork;
import io.aktis.cluster.session.NodeLauncher.Tethered;
import io.aktis.cluster.session.NodeRequest;
import io.aktis.cluster.tls.ClusterCa;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clusters that {@code aktis bench} measures: daemons as {@code aktis cluster} and {@code aktis
 * start} run them. They end with this process; the certificates go with {@link #close}.
 */
final class BenchClusters implements Clusters, AutoCloseable {
  /** The launcher script names itself here, so that a start is what its user would wait for. */
  private static final String COMMAND_PROPERTY = "aktis.command";

  private static final String PREFIX = "aktis://";

  /** Work of a bench reserves no memory. */
  private static final long MEMORY_BYTES = 1L << 30;

  private @Nullable Path certificates;

  @Override
  public Cluster start(Shape shape) throws InterruptedException {
    LocalNodes nodes = new LocalNodes(join -> request(shape, join), networkOptions(shape));
    boolean started = false;
    try {
      nodes.start(shape.nodes());
      started = true;
      return new Daemons(nodes);
    } finally {
      if (!started) {
        nodes.close();
      }
    }
  }

  private static List<String> networkOptions(Shape shape) {
    return shape.bytesPerSecond() == Setting.UNLIMITED
        ? List.of()
        : new SlowNetwork(Duration.ZERO, shape.bytesPerSecond()).jvmOptions();
  }

  private NodeRequest request(Shape shape, String join) {
    return new NodeRequest(
        join,
        new NodeRequest.Listen(null, null, 0, 0, 0),
        new NodeRequest.Amounts(
            shape.cpus(), 0, MEMORY_BYTES, Map.of(), Map.of(), shape.storeBytes()),
        new NodeRequest.Files(null, null, null, shape.tls() ? certificates() : null, List.of()),
        join.isEmpty() ? ControlPlace.parse(ControlPlace.MEMORY) : null);
  }

  /** Nodes that were started here. */
  private record Daemons(LocalNodes nodes) implements Cluster {
    @Override
    public String address() {
      return PREFIX + nodes.address();
    }

    @Override
    public List<Long> daemons() {
      return nodes.all().stream().map(Daemons::pid).toList();
    }

    private static long pid(Tethered node) {
      return node.node().ready().process().pid();
    }

    @Override
    public void close() {
      nodes.close();
    }
  }

  // ---- with a command ---------------------------------------------------------------------

  @Override
  public Cluster startByCommand(Shape shape) throws InterruptedException {
    List<String> words = new ArrayList<>(List.of("start", "--head", "--port", "0", "--json"));
    words.addAll(List.of("--cpus", Double.toString(shape.cpus())));
    words.addAll(List.of("--object-store-memory", (shape.storeBytes() >> 20) + "MiB"));
    if (shape.tls()) {
      words.addAll(List.of("--tls", certificates().toString()));
    }
    try {
      String told = run(words);
      Map<String, Object> ready = JSON.std.mapFrom(told);
      if (!(ready.get("pid") instanceof Number pid)) {
        throw new IllegalStateException("'aktis start --json' has said " + told.strip());
      }
      return new Started(
          String.valueOf(ready.get("session")),
          PREFIX + ready.get("address"),
          List.of(pid.longValue()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A node that a command has started, and another one stops. */
  private record Started(String session, String address, List<Long> daemons) implements Cluster {
    @Override
    public void close() {
      try {
        run(List.of("stop", "--session", session));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a node is stopped", e);
      }
    }
  }

  /** Runs the command in a process of its own; returns what it prints. */
  private static String run(List<String> words) throws IOException, InterruptedException {
    List<String> line = command();
    line.addAll(words);
    Process process =
        new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      if (code != ExitCode.OK) {
        throw new IllegalStateException(
            "'aktis " + String.join(" ", words) + "' has ended with code " + code);
      }
      return out;
    } finally {
      process.destroy();
    }
  }

  private static List<String> command() {
    String script = System.getProperty(COMMAND_PROPERTY);
    if (script != null) {
      return new ArrayList<>(List.of(script));
    }
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1"));
    for (String name : List.of("aktis.home.dir", "aktis.node.main")) {
      String value = System.getProperty(name);
      if (value != null) {
        line.add("-D" + name + "=" + value);
      }
    }
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return line;
  }

  // ---- certificates -----------------------------------------------------------------------

  @Override
  public Path certificates() {
    Path made = certificates;
    if (made == null) {
      try {
        made = Files.createTempDirectory("aktis-bench-tls-");
        certificates = made;
        ClusterCa.init(made, List.of());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return made;
  }

  @Override
  public void close() {
    Path made = certificates;
    if (made != null) {
      for (String file : List.of("ca.pem", ClusterCa.CA_KEY, "node.pem", "node-key.pem", "")) {
        made.resolve(file).toFile().delete();
      }
    }
  }
}
