package io.aktis.core.pool;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a worker process is made with beyond what its job says. Work of one job with equal keys may
 * share a process.
 *
 * @param jvmOptions options of its JVM, instead of those of the job; empty for those
 * @param env environment variables, which win over those of the job
 * @param files code before that of the program, instead of that of the job; empty for that
 * @param workingDirectory an archive of what it starts in; null for that of the job
 */
public record WorkerKey(
    List<String> jvmOptions,
    SortedMap<String, String> env,
    List<WorkerFile> files,
    @Nullable WorkerFile workingDirectory) {
  /** Nothing beyond the job: the worker that is started before anybody asks. */
  public static final WorkerKey PLAIN = new WorkerKey(List.of(), new TreeMap<>(), List.of(), null);

  /** Copies what is given. */
  public WorkerKey {
    jvmOptions = List.copyOf(jvmOptions);
    env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
    files = List.copyOf(files);
  }
}
