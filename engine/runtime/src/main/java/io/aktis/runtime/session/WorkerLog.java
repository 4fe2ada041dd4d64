package io.aktis.runtime.session;

import io.aktis.wire.message.LogLines;
import java.io.PrintStream;

/** Prints what workers print, on the streams of the driver. Confined to the owner's loop. */
final class WorkerLog {
  /** Prints lines as they came, each with the worker in front. */
  void print(LogLines lines) {
    PrintStream out = lines.getError() ? System.err : System.out;
    StringBuilder text = new StringBuilder();
    for (String line : lines.getLinesList()) {
      text.append("(worker ").append(lines.getWorkerId()).append(", pid ").append(lines.getPid());
      text.append(") ").append(line).append(System.lineSeparator());
    }
    out.print(text);
    out.flush();
  }
}
