package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.benchmarks.macro.CoreBench;
import io.aktis.benchmarks.macro.CoreLoads;
import io.aktis.benchmarks.macro.Load;
import io.aktis.benchmarks.macro.Measurement;
import io.aktis.benchmarks.macro.Report;
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
      "Each row has the median of three windows after a warm-up; the sides take turns. Ratios say"
          + " how many times better Aktis is. Takes minutes, with Ray half an hour."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis bench core",
      "  aktis bench core --only task_sync_per_s,actor_sync_per_s --seconds 5",
      "  aktis bench core --against jdk,ray --ray-python venv/bin/python --json core.json"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done, whether budgets are met or not.",
      "1:A load of Aktis failed, or --enforce was given and a budget is missed.",
      "2:The command line was wrong."
    })
final class BenchCoreCommand extends CliCommand {
  @Option(
      names = "--against",
      paramLabel = "SIDE",
      split = ",",
      defaultValue = "jdk",
      converter = SideConverter.class,
      description = "Whom to measure beside Aktis: jdk, ray [${DEFAULT-VALUE}].")
  private Set<Side> against = EnumSet.noneOf(Side.class);

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
      description = "CPUs of the engines and threads of the pools [all of this machine].")
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

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Load> loads = loads();
    Path report = json;
    if (report != null) {
      checkWritable(report);
    }
    CoreBench.Plan plan =
        new CoreBench.Plan(
            sides(),
            loads,
            seconds,
            cpus != null ? cpus : Runtime.getRuntime().availableProcessors(),
            Optional.ofNullable(rayPython));
    print(Report.heading());
    List<Measurement> measurements = new CoreBench(plan).run(found -> print(Report.row(found)));
    if (report != null) {
      Files.writeString(report, JSON.std.asString(Report.toMap(measurements)) + "\n");
    }
    return exitCode(measurements);
  }

  private List<Load> loads() {
    List<String> names = only;
    try {
      return names == null ? CoreLoads.all() : CoreLoads.named(names);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), "");
    }
  }

  private static void checkWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
      throw new CommandFailure(
          ExitCode.USAGE, "cannot write " + file, "--json takes a file in a folder that exists");
    }
  }

  /** Returns the sides that can be measured, and says why Ray is not among them. */
  private Set<Side> sides() throws InterruptedException {
    if (!against.contains(Side.RAY)) {
      return against;
    }
    Path python = rayPython;
    Optional<String> why =
        python == null
            ? Optional.of("--ray-python PATH is needed: a Python that has ray and numpy")
            : CoreBench.whyNoRay(python);
    if (why.isEmpty()) {
      return against;
    }
    err().println("aktis bench core: Ray is left out: " + why.get());
    err().flush();
    Set<Side> others = EnumSet.copyOf(against);
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
          .filter(side -> side != Side.AKTIS && side.key().equals(text.strip()))
          .findFirst()
          .orElseThrow(() ->
              new TypeConversionException(
                  "'"
                      + text
                      + "' is not one of "
                      + Arrays.stream(Side.values())
                          .filter(side -> side != Side.AKTIS)
                          .map(Side::key)
                          .collect(Collectors.joining(", "))));
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
