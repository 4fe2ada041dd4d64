package io.aktis;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the processes of some work are to have: environment variables, further code, options of the
 * JVM, a working directory. Immutable.
 *
 * <p>The one of a task or an actor goes over the one of the task that submitted it, and that over
 * the one of the session; see {@link #mergedWith}. Work whose environment differs from that of the
 * session gets a worker process with it, which other work with an equal one shares.
 *
 * <p>On a cluster paths are those of the machine on which the <em>program</em> runs, also when a
 * task names them; relative ones start at the working directory of the program. What they lead to
 * is read once in a session, when it is first named, and sent to each node that needs it. What can
 * be found out then (a jar that is not there, a directory that is too large) is a {@link
 * RuntimeEnvException} at the call, or of the result when a task has made the call; what shows only
 * later (an option that the JVM does not know) is the failure of the task or actor.
 *
 * <p>The embedded engine has no processes of its own: there {@link AktisContext#env} shows the
 * variables, and anything else is refused with {@link RuntimeEnvException}.
 *
 * @param variables environment variables. Those whose names begin with {@code AKTIS_} belong to the
 *     engine, and {@code CUDA_VISIBLE_DEVICES} is set by it on nodes that have GPUs
 * @param jars what comes before the program's own class path, in this order: jars, directories of
 *     classes and resources, and other files, each of which is a resource with the name of the file
 * @param jvmOptions options of the JVM, one text each, such as {@code -Xmx2g} or {@code
 *     --add-opens=java.base/java.lang=ALL-UNNAMED}; they go over those that the node gives
 * @param workingDirectory a directory: each process starts in a copy of it, which is deleted with
 *     the process
 */
public record RuntimeEnv(
    Map<String, String> variables,
    List<Path> jars,
    List<String> jvmOptions,
    Optional<Path> workingDirectory) {
  /** Nothing asked for. */
  public static final RuntimeEnv NONE =
      new RuntimeEnv(Map.of(), List.of(), List.of(), Optional.empty());

  private static final String OURS = "AKTIS_";

  /** They say what runs, which the engine does. */
  private static final Set<String> LAUNCHING =
      Set.of("-cp", "-classpath", "--class-path", "-jar", "-m", "--module", "--source");

  /**
   * Copies the collections.
   *
   * @throws IllegalArgumentException when a variable, an option or a path cannot be one, or belongs
   *     to the engine
   */
  public RuntimeEnv {
    variables = Map.copyOf(variables);
    jars = List.copyOf(jars);
    jvmOptions = List.copyOf(jvmOptions);
    variables.forEach(RuntimeEnv::checkVariable);
    jvmOptions.forEach(RuntimeEnv::checkOption);
    jars.forEach(RuntimeEnv::checkPath);
    workingDirectory.ifPresent(RuntimeEnv::checkPath);
  }

  private static void checkVariable(String name, String value) {
    if (name.isBlank() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "'" + name + "' is no name of a variable: it is not blank and has no '='");
    }
    if (name.startsWith(OURS)) {
      throw new IllegalArgumentException(
          "the variable " + name + " cannot be set: those with AKTIS_ are the engine's");
    }
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the variable " + name + " has a character with the code 0, which none can have");
    }
  }

  private static void checkOption(String option) {
    int end = option.indexOf('=');
    if (LAUNCHING.contains(end < 0 ? option : option.substring(0, end))) {
      throw new IllegalArgumentException(
          "the JVM option '"
              + option
              + "' says what runs, which the engine does; jar(path) puts code before that of the"
              + " program");
    }
    if (option.length() < 2 || !option.startsWith("-") || option.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "'"
              + option
              + "' is no option of a JVM: each is one text that begins with '-', such as -Xmx2g or"
              + " --add-modules=jdk.incubator.vector");
    }
  }

  private static void checkPath(Path path) {
    if (!path.getFileSystem().equals(FileSystems.getDefault())) {
      throw new IllegalArgumentException(
          path + " is not a path of the default file system, whose files alone can be sent");
    }
  }

  /** Returns a copy with an environment variable. */
  public RuntimeEnv variable(String name, String value) {
    Map<String, String> more = new TreeMap<>(variables);
    more.put(Checks.text(name, "the variable's name"), Checks.notNull(value, "its value"));
    return new RuntimeEnv(more, jars, jvmOptions, workingDirectory);
  }

  /** Returns a copy with a jar, directory of classes or file after those that it has. */
  public RuntimeEnv jar(Path path) {
    return new RuntimeEnv(
        variables, with(jars, Checks.notNull(path, "the path")), jvmOptions, workingDirectory);
  }

  /** Returns a copy with an option of the JVM after those that it has. */
  public RuntimeEnv jvmOption(String option) {
    return new RuntimeEnv(
        variables, jars, with(jvmOptions, Checks.text(option, "the option")), workingDirectory);
  }

  /** Returns a copy with this working directory. */
  public RuntimeEnv workingDirectory(Path directory) {
    return new RuntimeEnv(
        variables, jars, jvmOptions, Optional.of(Checks.notNull(directory, "the directory")));
  }

  private static <E> List<E> with(List<E> list, E last) {
    List<E> more = new ArrayList<>(list);
    more.add(last);
    return more;
  }

  /**
   * Returns this environment with {@code child} over it: its variables over those of the same
   * names, and its jars, its JVM options, its working directory, each as a whole, instead of those
   * here where it has some.
   */
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
