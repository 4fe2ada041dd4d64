package io.aktis;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the process of a task or an actor is to have. Immutable. The one of the task wins over the
 * one of the task that submitted it, and that over the one of the session, entry by entry.
 *
 * <p>The embedded engine has no processes of its own: there {@link AktisContext#env} shows the
 * variables, and anything else is refused with {@link RuntimeEnvException}.
 *
 * @param variables environment variables
 * @param jars further jars and files for the class path
 * @param jvmOptions options of the JVM
 * @param workingDirectory working directory
 */
public record RuntimeEnv(
    Map<String, String> variables,
    List<Path> jars,
    List<String> jvmOptions,
    Optional<Path> workingDirectory) {
  /** Nothing asked for. */
  public static final RuntimeEnv NONE =
      new RuntimeEnv(Map.of(), List.of(), List.of(), Optional.empty());

  /** Copies the collections. */
  public RuntimeEnv {
    variables = Map.copyOf(variables);
    jars = List.copyOf(jars);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Returns a copy with an environment variable. */
  public RuntimeEnv variable(String name, String value) {
    Map<String, String> more = new TreeMap<>(variables);
    more.put(Checks.text(name, "the variable's name"), Checks.notNull(value, "its value"));
    return new RuntimeEnv(more, jars, jvmOptions, workingDirectory);
  }

  /** Returns this environment with the entries of {@code child} over its own. */
  public RuntimeEnv mergedWith(RuntimeEnv child) {
    Map<String, String> all = new TreeMap<>(variables);
    all.putAll(child.variables);
    return new RuntimeEnv(
        all,
        child.jars.isEmpty() ? jars : child.jars,
        child.jvmOptions.isEmpty() ? jvmOptions : child.jvmOptions,
        child.workingDirectory.isPresent() ? child.workingDirectory : workingDirectory);
  }
}
