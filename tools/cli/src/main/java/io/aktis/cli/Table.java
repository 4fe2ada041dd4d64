package io.aktis.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Prints rows in columns. */
final class Table {
  private Table() {}

  /** Prints rows with columns as wide as they need to be. */
  static void print(PrintWriter out, List<List<String>> rows) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int index = column;
        int width = rows.stream().mapToInt(each -> each.get(index).length()).max().orElse(0);
        line.append(row.get(column)).repeat(' ', width - row.get(column).length() + 2);
      }
      out.println(line.toString().stripTrailing());
    }
  }

  /** Returns an amount of memory in words, in MiB or GiB. */
  static String bytes(long bytes) {
    return bytes < 1L << 30
        ? String.format(Locale.ROOT, "%d MiB", bytes >> 20)
        : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
  }
}
