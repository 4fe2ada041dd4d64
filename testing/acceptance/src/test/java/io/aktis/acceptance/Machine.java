package io.aktis.acceptance;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A machine as users see it: commands and programs that run there, and a directory of its own for
 * what clusters leave. Nothing that another test or another user runs is touched. Thread-safe.
 */
final class Machine implements AutoCloseable {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  /** What the aktis command has, and no class of a test: those have to travel. */
  private static final String ENGINE =
      Arrays.stream(CLASS_PATH.split(File.pathSeparator))
          .filter(entry -> !entry.contains("test-classes") && !entry.contains("junit"))
          .collect(Collectors.joining(File.pathSeparator));

  private static final List<String> JVM =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1");

  private final Path folder;
  private final Path home;
  private final List<String> prefix;

  /** Where code is that is on the class path of the tests. */
  private final UnaryOperator<String> code;

  private final Map<String, String> environment = new TreeMap<>();

  private Machine(Path folder, Path home, List<String> prefix, UnaryOperator<String> code) {
    this.folder = folder;
    this.home = home;
    this.prefix = prefix;
    this.code = code;
  }

  /** This machine. */
  static Machine here() {
    return behind();
  }

  /** A machine where programs are started with other words before them. */
  static Machine behind(String... prefix) {
    Path folder = makeFolder();
    Machine machine = new Machine(folder, folder.resolve("home"), List.of(prefix), path -> path);
    machine.environment.put("AKTIS_HOME_DIR", machine.home.toString());
    return machine;
  }

  /**
   * This machine as another user has it, who says nothing of where clusters leave their files.
   *
   * @param code a class path that he can read
   */
  static Machine ofUser(int uid, CodeCopy code) {
    Path folder = makeFolder();
    try {
      Files.setAttribute(folder, "unix:uid", uid);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path home = Path.of("/tmp", "aktis-" + uid);
    String user = Integer.toString(uid);
    List<String> prefix =
        List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--");
    return new Machine(folder, home, prefix, code);
  }

  private static Path makeFolder() {
    try {
      return Files.createTempDirectory("aktis-acceptance");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clusters of this machine leave their files. */
  Path home() {
    return home;
  }

  /** A place for files of the test, deleted at the end. */
  Path file(String name) {
    return folder.resolve(name);
  }

  /** Runs a command, such as {@code start --head}, to its end. */
  Program.Result aktis(String... arguments) {
    return aktis(Map.of(), arguments);
  }

  Program.Result aktis(Map<String, String> variables, String... arguments) {
    try (Program program = startAktis(variables, arguments)) {
      return program.awaitEnd();
    }
  }

  /** Runs a command that has to succeed; returns what it printed. */
  String mustAktis(String... arguments) {
    Program.Result result = aktis(arguments);
    if (result.exitCode() != 0) {
      throw new AssertionError("aktis " + String.join(" ", arguments) + ": " + result);
    }
    return result.out();
  }

  Program startAktis(Map<String, String> variables, String... arguments) {
    List<String> line = new ArrayList<>(jvm(ENGINE));
    line.add("io.aktis.cli.Main");
    line.addAll(List.of(arguments));
    return start(variables, line);
  }

  /** Starts a program of a user, whose session is of the cluster that runs here. */
  Program startDriver(Class<?> main, String... arguments) {
    return startDriver(CLASS_PATH, main.getName(), arguments);
  }

  /** Starts a program of a user in a JVM with an option of its own. */
  Program startDriverWith(String jvmOption, Class<?> main, String... arguments) {
    List<String> line = new ArrayList<>(jvm(CLASS_PATH));
    line.addAll(List.of(jvmOption, main.getName()));
    line.addAll(List.of(arguments));
    return start(Map.of("AKTIS_ADDRESS", "auto"), line);
  }

  /** Starts a program of a user whose classes are in folders of its own. */
  Program startDriver(List<Path> classes, String main, String... arguments) {
    String own = classes.stream().map(Path::toString).collect(Collectors.joining(":"));
    return startDriver(own + File.pathSeparator + ENGINE, main, arguments);
  }

  private Program startDriver(String classPath, String main, String... arguments) {
    List<String> line = new ArrayList<>(jvm(classPath));
    line.add(main);
    line.addAll(List.of(arguments));
    return start(Map.of("AKTIS_ADDRESS", "auto"), line);
  }

  private List<String> jvm(String classPath) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(JVM);
    line.addAll(List.of("-cp", code.apply(classPath)));
    return line;
  }

  private Program start(Map<String, String> variables, List<String> command) {
    List<String> line = new ArrayList<>(prefix);
    line.addAll(command);
    Map<String, String> all = new TreeMap<>(environment);
    all.putAll(variables);
    return Program.start(line, all, folder);
  }

  /** Ends whatever runs here still, and deletes all files. */
  @Override
  public void close() {
    for (ProcessHandle left : ProcFiles.processesOf(home)) {
      left.destroyForcibly();
    }
    deleteAll(folder);
    deleteAll(home);
  }

  private static void deleteAll(Path top) {
    if (!Files.exists(top)) {
      return;
    }
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
