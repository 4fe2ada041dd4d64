package io.aktis.benchmarks.macro;

import java.util.List;
import java.util.Optional;

/**
 * What was measured of one load. Immutable.
 *
 * @param load the load
 * @param figures one for each contender that was measured, the reference of a side first
 */
public record Measurement(Load load, List<Figure> figures) {
  /**
   * The median of the windows of one contender.
   *
   * @param side the side it belongs to
   * @param what how it does the work
   * @param value in the unit of the load; not a number where it failed
   * @param failure why it failed, empty where it did not
   */
  public record Figure(Side side, String what, double value, String failure) {
    /** Returns whether there is a value. */
    public boolean isThere() {
      return failure.isEmpty();
    }
  }

  /** Copies the figures. */
  public Measurement {
    figures = List.copyOf(figures);
  }

  /** Returns the figure of the reference of a side, empty when it was not measured or failed. */
  public Optional<Double> figure(Side side) {
    return figures.stream()
        .filter(figure -> figure.side() == side)
        .findFirst()
        .filter(Figure::isThere)
        .map(Figure::value);
  }

  /**
   * Returns the figure of a contender by what it does, empty when it was not measured or failed.
   */
  public Optional<Double> figure(String what) {
    return figures.stream()
        .filter(figure -> figure.what().equals(what) && figure.isThere())
        .findFirst()
        .map(Figure::value);
  }

  /** Returns how many times better Aktis is than the reference of a side. */
  public Optional<Double> advantageOver(Side side) {
    return figure(Side.AKTIS)
        .flatMap(own -> figure(side).map(other -> load.unit().advantage(own, other)));
  }

  /** Returns the budgets that are not met; those that cannot be judged are not among them. */
  public List<Budget> missedBudgets() {
    return load.budgets().stream().filter(b -> !b.isMet(this).orElse(true)).toList();
  }

  /** Returns the figures that are missing because something failed. */
  public List<Figure> failures() {
    return figures.stream().filter(figure -> !figure.isThere()).toList();
  }
}
