package io.aktis.cluster.node;

import io.aktis.RuntimeEnv;
import io.aktis.wire.message.SubmitJob;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Checks what somebody wants to run, before anything is done for it. */
final class JobCheck {
  /** The operating system takes 128 KiB for one argument, and 2 MiB for all with the variables. */
  static final int MAX_ARGUMENT_BYTES = 64 << 10;

  private JobCheck() {}

  /** Returns what is wrong with a request, and what is allowed; empty when nothing is. */
  static String problem(SubmitJob request) {
    if (!isClassName(request.getMainClass())) {
      return "'" + request.getMainClass() + "' is no name of a class";
    }
    if (request.getCode().getFilesCount() == 0) {
      return "the program has no files of code";
    }
    long argumentBytes = 0;
    for (String argument : request.getArgumentsList()) {
      if (argument.indexOf('\0') >= 0) {
        return "an argument of the program has a character with the code 0, which none can have";
      }
      argumentBytes += bytes(argument);
    }
    if (argumentBytes > MAX_ARGUMENT_BYTES) {
      return tooLong("the arguments of the program", argumentBytes);
    }
    String problem = problem(request.getEnvMap());
    return problem.isEmpty() ? optionProblem(request) : problem;
  }

  private static String optionProblem(SubmitJob request) {
    try {
      RuntimeEnv options = RuntimeEnv.NONE;
      for (String option : request.getJvmOptionsList()) {
        options = options.jvmOption(option);
      }
      for (String option : request.getDriverJvmOptionsList()) {
        options = options.jvmOption(option);
      }
      long optionBytes = options.jvmOptions().stream().mapToLong(JobCheck::bytes).sum();
      return optionBytes > MAX_ARGUMENT_BYTES ? tooLong("the JVM options", optionBytes) : "";
    } catch (IllegalArgumentException e) {
      return WireForms.words(e);
    }
  }

  private static boolean isClassName(String name) {
    return !name.isEmpty()
        && !name.startsWith(".")
        && !name.endsWith(".")
        && name.chars().allMatch(c -> c == '.' || Character.isJavaIdentifierPart(c));
  }

  private static String problem(Map<String, String> env) {
    long envBytes = 0;
    for (Map.Entry<String, String> each : env.entrySet()) {
      String name = each.getKey();
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        return "'" + name + "' is no name of a variable: it has letters, digits and _";
      }
      if (name.startsWith(JobDriver.OURS)) {
        return "the variable " + name + " cannot be set: those with AKTIS_ are the engine's";
      }
      if (each.getValue().indexOf('\0') >= 0) {
        return "the variable " + name + " has a character with the code 0, which none can have";
      }
      envBytes += bytes(name) + bytes(each.getValue());
    }
    return envBytes > MAX_ARGUMENT_BYTES ? tooLong("the variables of the program", envBytes) : "";
  }

  private static String tooLong(String what, long sizeBytes) {
    return what
        + " have "
        + sizeBytes
        + " bytes, and "
        + MAX_ARGUMENT_BYTES
        + " are allowed; put them into a file that the program reads";
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
