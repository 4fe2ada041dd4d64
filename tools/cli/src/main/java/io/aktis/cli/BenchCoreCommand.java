package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.benchmarks.macro.CoreBench;
import io.aktis.benchmarks.macro.CoreLoads;
import io.aktis.benchmarks.macro.Load;
import io.aktis.benchmarks.macro.Measurement;
import io.aktis.benchmarks.macro.Mode;
import io.aktis.benchmarks.macro.Report;
import io.aktis.benchmarks.macro.Setting;
import io.aktis.benchmarks.macro.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Measures the core: tasks, actors, objects, and the session itself. */
@Command(
    name = "core",
    description = {
      "Measure tasks, actors, objects and sessions, all sides in one run.",
      "",
      "Each row has the median of three windows, after a warm-up until windows do not become"
          + " better; the sides take turns. Ratios say how many times better Aktis is. Takes"
          + " minutes, with Ray half an hour. Ray's processes are stopped while others have their"
          + " turn.",
      "",
      "The engine is in this JVM (embedded), or it is a cluster that is started for the run on the"
          + " loopback address and ends with it: of one node (processes), or of several (nodes),"
          + " which lets objects go from node to node as well. A cluster is measured beside a bare"
          + " gRPC stream between two JVMs; with --tls both are encrypted, and small calls are"
          + " measured without TLS as well."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis bench core",
      "  aktis bench core --only task_sync_per_s,actor_sync_per_s --seconds 5",
      "  aktis bench core --against jdk,ray --ray-python venv/bin/python --json core.json",
      "  aktis bench core --mode processes --tls",
      "  aktis bench core --mode nodes --nodes 5 --only transfer_500mb_gb_per_s",
      "  aktis bench core --mode nodes --bandwidth 1GB/s --only broadcast_1gb_to_4_s"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done, whether budgets are met or not.",
      "1:A load of Aktis failed, the cluster could not be started, or --enforce was given and a"
          + " budget is missed.",
      "2:The command line was wrong."
    })
final class BenchCoreCommand extends CliCommand {
  /** One that has an object, and four that want it. */
  private static final int NODES = 5;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "embedded",
      converter = ModeConverter.class,
      description = "Where the engine runs: embedded, processes, nodes [${DEFAULT-VALUE}].")
  private Mode mode;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      converter = NodeCount.class,
      description = "How many nodes in mode nodes, 2 or more [" + NODES + "].")
  private @Nullable Integer nodes;

  @Option(
      names = "--tls",
      description = "Encrypt what goes between processes, with certificates made for the run.")
  private boolean tls;

  @Option(
      names = "--bandwidth",
      paramLabel = "RATE",
      converter = Amounts.Rate.class,
      description =
          "Let so much through to each node and worker, and as much back, as if they were machines"
              + " with such a network; for --mode nodes [what this machine can do].")
  private @Nullable Long bytesPerSecond;

  @Option(
      names = "--against",
      paramLabel = "SIDE",
      split = ",",
      converter = SideConverter.class,
      description =
          "Whom to measure beside Aktis: jdk, ray, and in the modes with several processes grpc"
              + " [jdk; grpc as well where that can be].")
  private @Nullable Set<Side> against;

  @Option(
      names = "--only",
      paramLabel = "LOAD",
      split = ",",
      description = "Measure these loads only; a wrong name lists all.")
  private @Nullable List<String> only;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "2",
      converter = SecondsConverter.class,
      description = "The length of a window [${DEFAULT-VALUE}].")
  private double seconds;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      converter = WholeNumber.Cpus.class,
      description =
          "CPUs of the engines, divided among the nodes but at least one each, and threads of the"
              + " pools [all of this machine].")
  private @Nullable Integer cpus;

  @Option(
      names = "--ray-python",
      paramLabel = "PATH",
      description = "The Python that has Ray and NumPy.")
  private @Nullable Path rayPython;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the figures to a file as well.")
  private @Nullable Path json;

  @Option(names = "--enforce", description = "Fail when a budget is missed.")
  private boolean enforce;

  @SuppressWarnings("NullAway.Init") // picocli sets the mode
  BenchCoreCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Setting setting = setting();
    List<Load> loads = loads(setting);
    Set<Side> chosen = chosen(setting);
    Path report = json;
    if (report != null) {
      checkWritable(report);
    }
    try (BenchClusters clusters = new BenchClusters()) {
      CoreBench.Plan plan =
          new CoreBench.Plan(
              setting,
              available(chosen),
              loads,
              seconds,
              cpus != null ? cpus : Runtime.getRuntime().availableProcessors(),
              Optional.ofNullable(rayPython),
              Optional.of(clusters));
      Report table = new Report(plan.others());
      print(table.heading());
      List<Measurement> measurements = new CoreBench(plan).run(found -> print(table.row(found)));
      if (report != null) {
        Files.writeString(report, JSON.std.asString(Report.toMap(setting, measurements)) + "\n");
      }
      return exitCode(measurements);
    }
  }

  // ---- what is asked for ------------------------------------------------------------------

  private Setting setting() {
    if (nodes != null && mode != Mode.NODES) {
      throw usage("--nodes is for --mode nodes; in mode " + mode.key() + " there is one");
    }
    if (tls && mode == Mode.EMBEDDED) {
      throw usage("--tls is for --mode processes or nodes: embedded, nothing leaves the JVM");
    }
    if (bytesPerSecond != null && mode != Mode.NODES) {
      throw usage("--bandwidth is for --mode nodes: it is between nodes");
    }
    int count = nodes != null ? nodes : mode == Mode.NODES ? NODES : 1;
    return new Setting(
        mode, count, tls, bytesPerSecond != null ? bytesPerSecond : Setting.UNLIMITED);
  }

  private List<Load> loads(Setting setting) {
    List<String> names = only;
    try {
      return names == null ? CoreLoads.all(setting) : CoreLoads.named(setting, names);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private Set<Side> chosen(Setting setting) {
    Set<Side> sides = against;
    if (sides == null) {
      return setting.isSeparate() ? EnumSet.of(Side.JDK, Side.GRPC) : EnumSet.of(Side.JDK);
    }
    if (sides.contains(Side.GRPC) && !setting.isSeparate()) {
      throw usage("--against grpc is for --mode processes or nodes: it is between processes");
    }
    return sides;
  }

  private static CommandFailure usage(String what) {
    return new CommandFailure(ExitCode.USAGE, what, "");
  }

  private static void checkWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw new CommandFailure(
          ExitCode.USAGE, "cannot write " + file, "--json takes a file in a folder that exists");
    }
  }

  /** Returns the sides that can be measured, and says why Ray is not among them. */
  private Set<Side> available(Set<Side> sides) throws InterruptedException {
    if (!sides.contains(Side.RAY)) {
      return sides;
    }
    Path python = rayPython;
    Optional<String> why =
        python == null
            ? Optional.of("--ray-python PATH is needed: a Python that has ray and numpy")
            : CoreBench.whyNoRay(python);
    if (why.isEmpty()) {
      return sides;
    }
    err().println("aktis bench core: Ray is left out: " + why.get());
    err().flush();
    Set<Side> others = EnumSet.copyOf(sides);
    others.remove(Side.RAY);
    return others;
  }

  private void print(String text) {
    out().println(text);
    out().flush();
  }

  private int exitCode(List<Measurement> measurements) {
    boolean failed =
        measurements.stream()
            .flatMap(measurement -> measurement.failures().stream())
            .anyMatch(figure -> figure.side() == Side.AKTIS);
    List<String> missed =
        measurements.stream()
            .filter(measurement -> !measurement.missedBudgets().isEmpty())
            .map(measurement -> measurement.load().name())
            .toList();
    if (!missed.isEmpty()) {
      print("\nBudgets missed: " + String.join(", ", missed));
    }
    return failed || (enforce && !missed.isEmpty()) ? ExitCode.FAILED : ExitCode.OK;
  }

  /** A side by its name. */
  static final class SideConverter implements ITypeConverter<Side> {
    @Override
    public Side convert(String text) {
      return Arrays.stream(Side.values())
          .filter(side -> side.isChosen() && side.key().equals(text.strip()))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "'"
                      + text
                      + "' is not one of "
                      + Arrays.stream(Side.values())
                          .filter(Side::isChosen)
                          .map(Side::key)
                          .collect(Collectors.joining(", "))));
    }
  }

  /** A mode by its name. */
  static final class ModeConverter implements ITypeConverter<Mode> {
    @Override
    public Mode convert(String text) {
      return Arrays.stream(Mode.values())
          .filter(mode -> mode.key().equals(text.strip()))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "'"
                      + text
                      + "' is not one of "
                      + Arrays.stream(Mode.values())
                          .map(Mode::key)
                          .collect(Collectors.joining(", "))));
    }
  }

  /** A number of nodes. */
  static final class NodeCount implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 2, 64);
    }
  }

  /** The length of a window. */
  static final class SecondsConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        double number = Double.parseDouble(text);
        if (number > 0 && number <= 3600) {
          return number;
        }
      } catch (NumberFormatException e) {
        // told below
      }
      throw new TypeConversionException("'" + text + "' is not a number of seconds up to 3600");
    }
  }
}
