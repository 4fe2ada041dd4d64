package io.aktis.cli;

import java.io.PrintWriter;
import java.util.List;

/** A table for people. */
final class TextTable {
  private TextTable() {}

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
}
