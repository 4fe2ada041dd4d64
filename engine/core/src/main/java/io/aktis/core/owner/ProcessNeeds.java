package io.aktis.core.owner;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which worker process work needs. Work with equal needs shares one, unless it is isolated.
 *
 * @param isolated whether it has a process of its own
 * @param jvmOptions options of its JVM, beside those of the job
 * @param variables environment variables, beside those of the job
 */
public record ProcessNeeds(
    boolean isolated, List<String> jvmOptions, SortedMap<String, String> variables) {
  /** Work that shares the process of its job. */
  public static final ProcessNeeds SHARED =
      new ProcessNeeds(false, List.of(), Collections.emptySortedMap());

  /** Copies what is given. */
  public ProcessNeeds {
    jvmOptions = List.copyOf(jvmOptions);
    variables = Collections.unmodifiableSortedMap(new TreeMap<>(variables));
  }

  @Override
  public String toString() {
    return (isolated ? " isolated" : "")
        + (jvmOptions.isEmpty() ? "" : " with " + jvmOptions)
        + (variables.isEmpty() ? "" : " with " + variables.keySet());
  }
}
