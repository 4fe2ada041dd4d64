package io.aktis.benchmarks.macro;

import java.util.Locale;
import java.util.Optional;

/** What Aktis has to reach in a load. Immutable. */
public sealed interface Budget {
  /** Returns the budget in words. */
  String describe(Unit unit);

  /** Returns whether it is met, empty when the side that it compares with was not measured. */
  Optional<Boolean> isMet(Measurement measurement);

  /**
   * At least so many times as good as another side.
   *
   * @param other the side
   * @param least 0.5 for half as good, 2 for twice as good
   */
  record Times(Side other, double least) implements Budget {
    @Override
    public String describe(Unit unit) {
      return String.format(Locale.ROOT, "≥ %.2f× %s", least, other.key());
    }

    @Override
    public Optional<Boolean> isMet(Measurement measurement) {
      return measurement.advantageOver(other).map(advantage -> advantage >= least);
    }
  }

  /**
   * At most so many times as much as something else that Aktis does in the same load.
   *
   * @param what the other contender of Aktis
   * @param most how many times as much
   */
  record TimesOwn(String what, double most) implements Budget {
    @Override
    public String describe(Unit unit) {
      return String.format(Locale.ROOT, "≤ %.2f× %s", most, what);
    }

    @Override
    public Optional<Boolean> isMet(Measurement measurement) {
      return measurement
          .figure(what)
          .flatMap(other -> measurement.figure(Side.AKTIS).map(own -> own <= most * other));
    }
  }

  /**
   * At most so much more than the JDK.
   *
   * @param most in the unit of the load
   */
  record AboveJdk(double most) implements Budget {
    @Override
    public String describe(Unit unit) {
      return "≤ jdk + " + Figures.withUnit(most, unit);
    }

    @Override
    public Optional<Boolean> isMet(Measurement measurement) {
      return measurement
          .figure(Side.JDK)
          .flatMap(jdk -> measurement.figure(Side.AKTIS).map(own -> own - jdk <= most));
    }
  }

  /**
   * As good as a fixed figure.
   *
   * @param bound in the unit of the load
   */
  record Absolute(double bound) implements Budget {
    @Override
    public String describe(Unit unit) {
      return unit.sign() + " " + Figures.withUnit(bound, unit);
    }

    @Override
    public Optional<Boolean> isMet(Measurement measurement) {
      Unit unit = measurement.load().unit();
      return measurement.figure(Side.AKTIS).map(own -> unit.reaches(own, bound));
    }
  }
}
