package io.aktis.benchmarks.macro;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** How measurements are told: a table for people, a map for machines. */
public final class Report {
  private static final String ROW = "%-28s %-4s %13s %13s %13s %9s %9s   %s";

  private Report() {}

  /** Returns the heading of the table. */
  public static String heading() {
    return String.format(
        Locale.ROOT, ROW, "", "unit", "aktis", "jdk", "ray", "aktis/jdk", "aktis/ray", "budget");
  }

  /**
   * Returns one row of the table, and below it how the JDK does the work. Ratios say how many times
   * better Aktis is, be it more a second or fewer seconds.
   */
  public static String row(Measurement measurement) {
    Load load = measurement.load();
    String row =
        String.format(
            Locale.ROOT,
            ROW,
            load.name(),
            load.unit().symbol(),
            figure(measurement, Side.AKTIS),
            figure(measurement, Side.JDK),
            figure(measurement, Side.RAY),
            ratio(measurement, Side.JDK),
            ratio(measurement, Side.RAY),
            budgets(measurement));
    return row.stripTrailing() + ways(measurement) + failures(measurement);
  }

  private static String figure(Measurement measurement, Side side) {
    return measurement.figure(side).map(Figures::of).orElse("");
  }

  private static String ratio(Measurement measurement, Side side) {
    return measurement.advantageOver(side).map(ratio -> Figures.of(ratio) + "×").orElse("");
  }

  private static String budgets(Measurement measurement) {
    StringJoiner text = new StringJoiner("; ");
    for (Budget budget : measurement.load().budgets()) {
      String met = budget.isMet(measurement).map(is -> is ? "met" : "MISSED").orElse("not judged");
      text.add(budget.describe(measurement.load().unit()) + ": " + met);
    }
    return text.toString();
  }

  private static String ways(Measurement measurement) {
    StringJoiner ways = new StringJoiner(", ");
    for (Measurement.Figure figure : measurement.figures()) {
      if (figure.side() == Side.JDK && figure.isThere()) {
        ways.add(ways.length() == 0 ? figure.what() : withValue(figure));
      }
    }
    return ways.length() == 0 ? "" : "\n    jdk: " + ways;
  }

  private static String withValue(Measurement.Figure figure) {
    return figure.what() + " " + Figures.of(figure.value());
  }

  private static String failures(Measurement measurement) {
    StringBuilder text = new StringBuilder();
    for (Measurement.Figure figure : measurement.failures()) {
      text.append("\n    ").append(figure.what()).append(" FAILED: ").append(figure.failure());
    }
    return text.toString();
  }

  /** Returns the JSON object of a run; sides without a figure are left out. */
  public static Map<String, Object> toMap(List<Measurement> measurements) {
    Map<String, Object> results = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("unit", measurement.load().unit().symbol());
      for (Side side : Side.values()) {
        measurement.figure(side).ifPresent(value -> result.put(side.key(), value));
      }
      results.put(measurement.load().name(), result);
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("mode", "embedded");
    report.put("results", results);
    return report;
  }
}
