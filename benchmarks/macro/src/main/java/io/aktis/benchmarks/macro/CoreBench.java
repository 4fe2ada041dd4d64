package io.aktis.benchmarks.macro;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Measures the loads of {@link CoreLoads}, all sides in one run.
 *
 * <p>Of each load the sides are warmed up, one after the other, and then take turns: {@value
 * Load#WINDOWS} times a window each; the median counts. So a machine that is busy for a while is
 * busy for all. The heap is collected before each window, so that nobody pays for the garbage of
 * another.
 *
 * <p>Confined to the thread that runs it.
 */
public final class CoreBench {
  /**
   * What to measure.
   *
   * @param setting the engine that is measured; when it is in several processes, it needs {@code
   *     clusters}
   * @param against the sides beside Aktis; Ray needs {@code rayPython}
   * @param loads the loads, in order
   * @param seconds the length of a window
   * @param cpus CPUs of the engines, and threads of the pools
   * @param rayPython the Python that has Ray
   * @param clusters starts the clusters to measure
   */
  public record Plan(
      Setting setting,
      Set<Side> against,
      List<Load> loads,
      double seconds,
      int cpus,
      Optional<Path> rayPython,
      Optional<Clusters> clusters) {
    /** Checks and copies. */
    public Plan {
      against = Set.copyOf(against);
      loads = List.copyOf(loads);
      if (!(seconds > 0) || cpus < 1) {
        throw new IllegalArgumentException("a bench needs time and CPUs");
      }
      if (against.contains(Side.RAY) && rayPython.isEmpty()) {
        throw new IllegalArgumentException("Ray needs a Python");
      }
      if (setting.isSeparate() && clusters.isEmpty()) {
        throw new IllegalArgumentException("an engine in several processes needs a cluster");
      }
    }

    boolean includes(Side side) {
      return !side.isChosen() || against.contains(side);
    }

    /** Returns the sides beside Aktis, in the order they are told. */
    public List<Side> others() {
      return Arrays.stream(Side.values())
          .filter(side -> side != Side.AKTIS && includes(side))
          .filter(side -> side != Side.PLAIN || setting.tls())
          .toList();
    }
  }

  private final Plan plan;

  /** Makes a bench; nothing is started yet. */
  public CoreBench(Plan plan) {
    this.plan = Objects.requireNonNull(plan);
  }

  /**
   * Measures all loads of the plan; takes minutes.
   *
   * @param onEach is told each measurement as soon as it is there
   * @return the measurements, in order
   */
  public List<Measurement> run(Consumer<? super Measurement> onEach) throws InterruptedException {
    List<Measurement> all = new ArrayList<>();
    try (Rig rig = new Rig(plan)) {
      for (Load load : plan.loads()) {
        Measurement measurement = measure(load, rig);
        all.add(measurement);
        onEach.accept(measurement);
      }
    }
    return all;
  }

  /** Says why Ray cannot be measured with a Python; empty when it can. */
  public static Optional<String> whyNoRay(Path python) throws InterruptedException {
    return Ray.whyNot(python);
  }

  private Measurement measure(Load load, Rig rig) throws InterruptedException {
    List<Turns> contenders =
        load.contenders().stream()
            .filter(contender -> plan.includes(contender.side()))
            .map(contender -> new Turns(contender, load.unit(), rig))
            .toList();
    try {
      for (Turns contender : contenders) {
        contender.warmUp(plan.seconds());
      }
      for (int round = 0; round < Load.WINDOWS; round++) {
        for (Turns contender : contenders) {
          contender.take(plan.seconds());
        }
      }
    } finally {
      contenders.forEach(Turns::close);
    }
    return new Measurement(load, contenders.stream().map(Turns::figure).toList());
  }
}
