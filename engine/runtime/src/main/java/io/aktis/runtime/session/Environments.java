package io.aktis.runtime.session;

import io.aktis.CallOptions;
import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.core.owner.ProcessNeeds;
import io.aktis.runtime.port.ClusterPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The runtime environments of a session's work, at its owner. Thread-safe. */
final class Environments {
  private final OwnerKernel kernel;
  private final @Nullable ClusterPort port;

  /**
   * Makes one.
   *
   * @param port reads files; null for an embedded session
   */
  Environments(OwnerKernel kernel, @Nullable ClusterPort port) {
    this.kernel = kernel;
    this.port = port;
  }

  /**
   * Refuses what cannot be set up, as far as it is known now. Code of the program is told at the
   * call. On the loop, which must not wait, no file is looked at: then the work fails.
   *
   * @throws RuntimeEnvException saying why
   */
  void check(RuntimeEnv environment) {
    if (port == null) {
      checkEmbedded(environment);
    } else if (hasFiles(environment) && !kernel.isOnLoop()) {
      port.filesOf(environment);
    }
  }

  static void checkEmbedded(RuntimeEnv environment) {
    if (hasFiles(environment) || !environment.jvmOptions().isEmpty()) {
      throw new RuntimeEnvException(
          "An embedded session runs all code in its own JVM: jars, JVM options and a working"
              + " directory of its own need the worker processes of a cluster, such as that of"
              + " 'aktis start --head'. Environment variables are allowed, AktisContext.env() shows"
              + " them.");
    }
  }

  static boolean hasFiles(RuntimeEnv environment) {
    return !environment.jars().isEmpty() || environment.workingDirectory().isPresent();
  }

  /** Returns which process work needs: nothing, where it is what the session says. */
  ProcessNeeds needs(CallOptions options) {
    if (port == null) {
      return ProcessNeeds.SHARED;
    }
    RuntimeEnv base = kernel.runtimeEnv();
    RuntimeEnv all = base.mergedWith(options.runtimeEnv());
    Map<String, String> variables = new TreeMap<>(all.variables());
    variables.entrySet().removeAll(base.variables().entrySet());
    return new ProcessNeeds(
        options.isolated(),
        all.jvmOptions().equals(base.jvmOptions()) ? List.of() : all.jvmOptions(),
        new TreeMap<>(variables),
        all.jars().equals(base.jars()) ? List.of() : all.jars().stream().map(this::text).toList(),
        all.workingDirectory().equals(base.workingDirectory())
            ? ""
            : all.workingDirectory().map(this::text).orElse(""));
  }

  /** Different ways to write a path must not cost a process each. */
  private String text(Path path) {
    return path.toAbsolutePath().toString();
  }

  /**
   * Returns the files that a process needs, those of the session where the work says none.
   *
   * @return null when it needs none
   */
  static @Nullable RuntimeEnv filesOf(ProcessNeeds needs, RuntimeEnv base) {
    List<Path> jars =
        needs.jars().isEmpty() ? base.jars() : needs.jars().stream().map(Path::of).toList();
    Optional<Path> directory =
        needs.workingDirectory().isEmpty()
            ? base.workingDirectory()
            : Optional.of(Path.of(needs.workingDirectory()));
    return jars.isEmpty() && directory.isEmpty()
        ? null
        : new RuntimeEnv(Map.of(), jars, List.of(), directory);
  }
}
