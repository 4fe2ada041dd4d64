package io.aktis.cluster.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Cuts what a process prints into lines. Confined to one thread. */
final class LinePump {
  /** A line that is longer is cut: a process that prints no line ends must not fill the memory. */
  static final int MAX_LINE_BYTES = 16 << 10;

  private final Consumer<String> lines;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  LinePump(Consumer<String> lines) {
    this.lines = lines;
  }

  /** Reads to the end. */
  void run(InputStream in) throws IOException {
    byte[] buffer = new byte[8 << 10];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      int from = 0;
      for (int i = 0; i < count; i++) {
        if (buffer[i] == '\n') {
          add(buffer, from, i);
          emit();
          from = i + 1;
        }
      }
      add(buffer, from, count);
    }
    if (line.size() > 0) {
      emit();
    }
  }

  private void add(byte[] buffer, int from, int to) {
    int start = from;
    while (line.size() + to - start > MAX_LINE_BYTES) {
      int part = MAX_LINE_BYTES - line.size();
      line.write(buffer, start, part);
      start += part;
      emit();
    }
    line.write(buffer, start, to - start);
  }

  private void emit() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    lines.accept(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
  }
}
