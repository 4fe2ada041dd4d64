package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobState;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a job is, for programs and for people. Immutable. */
final class JobText {
  /** What has not happened is there as null. */
  static final JSON JSON_WITH_NULLS = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

  static final List<String> TITLES = List.of("JOB", "STATE", "PROGRAM", "SUBMITTED", "RAN");

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final int SIGNAL_BASE = 128;
  private static final int MAX_SIGNAL = 64;

  private final JobEntry job;

  JobText(JobEntry job) {
    this.job = job;
  }

  /** Returns the JSON of {@code aktis job status --json}. */
  Map<String, @Nullable Object> toMap() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("id", job.getJob());
    map.put("program", job.getProgram());
    map.put("mainClass", job.getMainClass());
    map.put("state", job.getState().name());
    map.put("stopping", job.getStopping());
    map.put("submitted", utc(job.getSubmittedAtMs()));
    map.put("started", utc(job.getStartedAtMs()));
    map.put("ended", utc(job.getEndedAtMs()));
    map.put("pid", job.getPid() == 0 ? null : job.getPid());
    map.put("exitCode", job.hasExitCode() ? job.getExitCode() : null);
    map.put("signal", signal() == 0 ? null : signal());
    map.put("reason", job.getReason().isEmpty() ? null : job.getReason());
    return map;
  }

  private static @Nullable String utc(long ms) {
    return ms == 0 ? null : Instant.ofEpochMilli(ms).toString();
  }

  /** Returns the signal that has killed it; 0 for none. */
  private int signal() {
    int code = job.getExitCode();
    return code > SIGNAL_BASE && code <= SIGNAL_BASE + MAX_SIGNAL ? code - SIGNAL_BASE : 0;
  }

  /** Returns a row of a table with {@link #TITLES}. */
  List<String> row() {
    return List.of(job.getJob(), state(), job.getProgram(), local(job.getSubmittedAtMs()), ran());
  }

  private String state() {
    String state = job.getState().name() + (job.getStopping() ? " (stopping)" : "");
    return job.getState() == JobState.FAILED && job.hasExitCode()
        ? state + " (" + exit() + ")"
        : state;
  }

  private String exit() {
    return signal() == 0 ? "exit code " + job.getExitCode() : "signal " + signal();
  }

  private static String local(long ms) {
    return ms == 0 ? "-" : LOCAL.format(Instant.ofEpochMilli(ms).atZone(ZoneId.systemDefault()));
  }

  private String ran() {
    if (job.getStartedAtMs() == 0) {
      return "-";
    }
    long until = job.getEndedAtMs() == 0 ? System.currentTimeMillis() : job.getEndedAtMs();
    return words(Duration.ofMillis(Math.max(0, until - job.getStartedAtMs())));
  }

  static String words(Duration time) {
    if (time.toMinutes() < 1) {
      return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
    return time.toHours() < 1
        ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
        : time.toHours() + " h " + time.toMinutesPart() + " min";
  }

  /** Prints it for people. */
  void print(PrintWriter out) {
    out.println(job.getJob() + "  " + state());
    line(out, "program", job.getProgram() + ", main class " + job.getMainClass());
    line(out, "submitted", local(job.getSubmittedAtMs()));
    line(out, "started", local(job.getStartedAtMs()));
    line(out, "ended", local(job.getEndedAtMs()));
    line(out, "ran", ran());
    if (job.getPid() != 0) {
      line(out, "process", job.getPid() + " on the machine of the head");
    }
    if (job.hasExitCode()) {
      line(out, "exit code", Integer.toString(job.getExitCode()));
    }
    if (!job.getReason().isEmpty()) {
      line(out, "reason", job.getReason());
    }
  }

  private static void line(PrintWriter out, String name, String value) {
    out.println("  " + name + " ".repeat(11 - name.length()) + value);
  }

  /** Returns in words how a job that is over has ended. */
  String ending() {
    return job.getJob()
        + switch (job.getState()) {
          case SUCCEEDED -> " has succeeded";
          case STOPPED -> " is stopped" + (job.hasExitCode() ? " (" + exit() + ")" : "");
          case FAILED -> {
            String what = job.getStartedAtMs() > 0 ? " has failed: " : " was not started: ";
            yield what + (job.hasExitCode() ? exit() : job.getReason());
          }
          default -> " is " + job.getState();
        };
  }
}
