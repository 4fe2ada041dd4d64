package io.aktis.benchmarks.macro;

import java.util.ArrayList;
import java.util.List;

/**
 * One kind of work, and how each side does it. Immutable: the methods that add something return
 * changed copies.
 *
 * @param setting the engine it is for
 * @param name the name in tables and JSON, the same on all sides
 * @param unit what the figures count
 * @param contenders who does it, in the order they take turns; Aktis first, and the first of a side
 *     is the one that ratios and JSON are about
 * @param budgets what Aktis has to reach
 */
public record Load(
    Setting setting, String name, Unit unit, List<Contender> contenders, List<Budget> budgets) {
  /** How many windows give a median. */
  static final int WINDOWS = 3;

  /** How much of the rate of small calls has to be left with TLS. */
  private static final double LEAST_WITH_TLS = 0.7;

  /**
   * One that does the work of a load.
   *
   * @param side the side it belongs to
   * @param what how it does it, in a few words
   * @param windows how many windows are taken
   * @param warms whether a window makes the next one faster, so that a warm-up goes before
   * @param setup makes its probe
   */
  record Contender(Side side, String what, int windows, boolean warms, Probe.Setup setup) {}

  /** Copies the lists. */
  public Load {
    contenders = List.copyOf(contenders);
    budgets = List.copyOf(budgets);
  }

  static Load of(Setting setting, String name, Unit unit) {
    return new Load(setting, name, unit, List.of(), List.of());
  }

  Load aktis(Probe.Setup setup) {
    return with(new Contender(Side.AKTIS, "aktis", WINDOWS, true, setup));
  }

  Load jdk(String what, Probe.Setup setup) {
    return with(new Contender(Side.JDK, what, WINDOWS, true, setup));
  }

  /** Aktis does it once only, as {@link #rayOnce} says. */
  Load once(String what, Probe.Setup setup) {
    return with(new Contender(Side.AKTIS, what, 1, false, setup));
  }

  /** Aktis does it with something that it starts anew each time, and that is never warm. */
  Load anew(Probe.Setup setup) {
    return with(new Contender(Side.AKTIS, "aktis", WINDOWS, false, setup));
  }

  /** Aktis does something beside the load, to compare it with. */
  Load also(String what, Probe.Setup setup) {
    return with(new Contender(Side.AKTIS, what, WINDOWS, true, setup));
  }

  /** A bare stream to another process does it where the engine is in several. */
  Load grpc(Probe.Setup setup) {
    return setting.isSeparate()
        ? with(new Contender(Side.GRPC, "bidirectional stream", WINDOWS, true, setup))
        : this;
  }

  /** Aktis without TLS does it where it is measured with; that may cost so much of its rate. */
  Load plain(Probe.Setup setup) {
    return setting.tls()
        ? with(new Contender(Side.PLAIN, "aktis without TLS", WINDOWS, true, setup))
            .budget(new Budget.Times(Side.PLAIN, LEAST_WITH_TLS))
        : this;
  }

  /** Ray does it, too. */
  Load ray() {
    return with(new Contender(Side.RAY, "ray", WINDOWS, true, rig -> rig.ray().probe(name)));
  }

  /** Ray does it once only: it takes seconds to minutes there. */
  Load rayOnce() {
    return with(new Contender(Side.RAY, "ray", 1, false, rig -> rig.ray().probe(name)));
  }

  /** A side does it in a JVM of its own. */
  Load alone(Side side, String what, OwnJvm child) {
    return with(new Contender(side, what, child.windows(), false, child.of(side)));
  }

  /** A budget for the engine in one JVM. */
  Load embedded(Budget budget) {
    return setting.isSeparate() ? this : budget(budget);
  }

  /** A budget for the engine in several processes. */
  Load separate(Budget budget) {
    return setting.isSeparate() ? budget(budget) : this;
  }

  Load budget(Budget budget) {
    List<Budget> all = new ArrayList<>(budgets);
    all.add(budget);
    return new Load(setting, name, unit, contenders, all);
  }

  private Load with(Contender contender) {
    List<Contender> all = new ArrayList<>(contenders);
    all.add(contender);
    return new Load(setting, name, unit, all, budgets);
  }
}
