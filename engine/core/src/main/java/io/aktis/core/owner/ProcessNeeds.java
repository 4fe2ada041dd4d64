package io.aktis.core.owner;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which worker process work needs, as far as it is not what the job says. Work with equal needs
 * shares one, unless it is isolated.
 *
 * @param isolated whether it has a process of its own
 * @param jvmOptions options of its JVM, instead of those of the job; empty for those
 * @param variables environment variables, over those of the job
 * @param jars paths of code before that of the program, instead of those of the job; empty for
 *     those
 * @param workingDirectory path of what it starts in a copy of; empty for that of the job
 */
public record ProcessNeeds(
    boolean isolated,
    List<String> jvmOptions,
    SortedMap<String, String> variables,
    List<String> jars,
    String workingDirectory) {
  /** Work that shares the process of its job. */
  public static final ProcessNeeds SHARED =
      new ProcessNeeds(false, List.of(), Collections.emptySortedMap(), List.of(), "");

  /** Copies what is given. */
  public ProcessNeeds {
    jvmOptions = List.copyOf(jvmOptions);
    variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
    jars = List.copyOf(jars);
  }

  @Override
  public String toString() {
    return (isolated ? " isolated" : "")
        + (jvmOptions.isEmpty() ? "" : " with " + jvmOptions)
        + (variables.isEmpty() ? "" : " with " + variables.keySet())
        + (jars.isEmpty() ? "" : " with " + jars)
        + (workingDirectory.isEmpty() ? "" : " in " + workingDirectory);
  }
}
