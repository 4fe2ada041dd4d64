package io.aktis.benchmarks.macro;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** How measurements are told: a table for people, a map for machines. Immutable. */
public final class Report {
  private static final String BEGINNING = "%-28s %-4s";
  private static final String FIGURE = " %13s";
  private static final String RATIO = " %11s";

  private final List<Side> others;

  /** Makes one with a column for each of these sides, beside Aktis. */
  public Report(List<Side> others) {
    this.others = List.copyOf(others);
  }

  /** Returns the heading of the table. */
  public String heading() {
    StringBuilder line = beginning("", "unit", Side.AKTIS.key());
    others.forEach(side -> line.append(format(FIGURE, side.key())));
    others.forEach(side -> line.append(format(RATIO, "aktis/" + side.key())));
    return line.append("   budget").toString();
  }

  /**
   * Returns one row of the table, and below it how it was done where that can be one of several
   * ways. Ratios say how many times better Aktis is, be it more a second or fewer seconds.
   */
  public String row(Measurement measurement) {
    Load load = measurement.load();
    StringBuilder line =
        beginning(load.name(), load.unit().symbol(), figure(measurement, Side.AKTIS));
    others.forEach(side -> line.append(format(FIGURE, figure(measurement, side))));
    others.forEach(side -> line.append(format(RATIO, ratio(measurement, side))));
    line.append("   ").append(budgets(measurement));
    return line.toString().stripTrailing() + ways(measurement) + failures(measurement);
  }

  private static StringBuilder beginning(String name, String unit, String figure) {
    return new StringBuilder(String.format(Locale.ROOT, BEGINNING + FIGURE, name, unit, figure));
  }

  private static String format(String column, String text) {
    return String.format(Locale.ROOT, column, text);
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

  /** The JDK has many ways, so that is always told; of others only when there were several. */
  private static String ways(Measurement measurement) {
    StringBuilder text = new StringBuilder();
    for (Side side : List.of(Side.AKTIS, Side.JDK)) {
      List<Measurement.Figure> figures = figures(measurement, side);
      if (figures.size() > 1 || (side == Side.JDK && !figures.isEmpty())) {
        text.append("\n    ").append(side.key()).append(": ").append(figures.getFirst().what());
        figures.stream().skip(1).forEach(figure -> text.append(", ").append(withValue(figure)));
      }
    }
    return text.toString();
  }

  private static List<Measurement.Figure> figures(Measurement measurement, Side side) {
    return measurement.figures().stream()
        .filter(figure -> figure.side() == side && figure.isThere())
        .toList();
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

  /**
   * Returns the JSON object of a run. Sides without a figure are left out; what else a side did in
   * the same load is under {@code others}, by what it is.
   */
  public static Map<String, Object> toMap(Setting setting, List<Measurement> measurements) {
    Map<String, Object> results = new LinkedHashMap<>();
    for (Measurement measurement : measurements) {
      results.put(measurement.load().name(), toMap(measurement));
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("mode", setting.mode().key());
    if (setting.isSeparate()) {
      report.put("nodes", setting.nodes());
      report.put("tls", setting.tls());
      if (setting.isSlow()) {
        report.put("bytesPerSecond", setting.bytesPerSecond());
      }
    }
    report.put("results", results);
    return report;
  }

  private static Map<String, Object> toMap(Measurement measurement) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("unit", measurement.load().unit().symbol());
    List<Measurement.Figure> more = new ArrayList<>();
    for (Side side : Side.values()) {
      measurement.figure(side).ifPresent(value -> result.put(side.key(), value));
      figures(measurement, side).stream().skip(1).forEach(more::add);
    }
    if (!more.isEmpty()) {
      result.put(
          "others",
          more.stream()
              .collect(
                  Collectors.toMap(
                      Measurement.Figure::what,
                      Measurement.Figure::value,
                      (first, _) -> first,
                      LinkedHashMap::new)));
    }
    return result;
  }
}
