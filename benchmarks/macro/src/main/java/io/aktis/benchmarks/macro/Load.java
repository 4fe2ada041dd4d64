package io.aktis.benchmarks.macro;

import java.util.ArrayList;
import java.util.List;

/**
 * One kind of work, and how each side does it. Immutable: the methods that add something return
 * changed copies.
 *
 * @param name the name in tables and JSON, the same on all sides
 * @param unit what the figures count
 * @param contenders who does it, in the order they take turns; Aktis first, and the first of a side
 *     is the one that ratios and JSON are about
 * @param budgets what Aktis has to reach
 */
public record Load(String name, Unit unit, List<Contender> contenders, List<Budget> budgets) {
  /** How many windows give a median. */
  static final int WINDOWS = 3;

  /**
   * One that does the work of a load.
   *
   * @param side the side it belongs to
   * @param what how it does it, in a few words
   * @param windows how many windows are taken; when fewer than {@link #WINDOWS}, then no warm-up
   * @param setup makes its probe
   */
  record Contender(Side side, String what, int windows, Probe.Setup setup) {}

  /** Copies the lists. */
  public Load {
    contenders = List.copyOf(contenders);
    budgets = List.copyOf(budgets);
  }

  static Load of(String name, Unit unit) {
    return new Load(name, unit, List.of(), List.of());
  }

  Load aktis(Probe.Setup setup) {
    return with(new Contender(Side.AKTIS, "aktis", WINDOWS, setup));
  }

  Load jdk(String what, Probe.Setup setup) {
    return with(new Contender(Side.JDK, what, WINDOWS, setup));
  }

  /** Ray does it, too. */
  Load ray() {
    return with(new Contender(Side.RAY, "ray", WINDOWS, rig -> rig.ray().probe(name)));
  }

  /** Ray does it once only: it takes seconds to minutes there. */
  Load rayOnce() {
    return with(new Contender(Side.RAY, "ray", 1, rig -> rig.ray().probe(name)));
  }

  /** A side does it in a JVM of its own. */
  Load alone(Side side, String what, OwnJvm child) {
    return with(new Contender(side, what, child.windows(), child.of(side)));
  }

  Load budget(Budget budget) {
    List<Budget> all = new ArrayList<>(budgets);
    all.add(budget);
    return new Load(name, unit, contenders, all);
  }

  private Load with(Contender contender) {
    List<Contender> all = new ArrayList<>(contenders);
    all.add(contender);
    return new Load(name, unit, all, budgets);
  }
}
