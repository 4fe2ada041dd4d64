package io.aktis.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.testkit.Await;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runtime environments of worker processes. */
@EngineTest(cpus = 2)
class EnvironmentTest {
  private static final String WHY = "there is no process of its own";

  @TempDir Path dir;

  /** An actor that tells where it is. */
  static final class Place {
    String read(String name) {
      return EnvironmentTest.read(name);
    }

    String option(String name) {
      return System.getProperty(name);
    }
  }

  // ---- processes --------------------------------------------------------------------------------

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.process")
  void work_withEqualEnvironments_sharesAProcess() {
    RuntimeEnv blue = RuntimeEnv.NONE.variable("COLOUR", "blue").jvmOption("-Dshape=round");
    RuntimeEnv same = RuntimeEnv.NONE.jvmOption("-Dshape=round").variable("COLOUR", "blue");
    long plain = Aktis.task(ProcessTest::pid).remote().get();
    long one = Aktis.task(ProcessTest::pid).runtimeEnv(blue).remote().get();

    assertThat(one).isNotEqualTo(plain);
    assertThat(Aktis.task(ProcessTest::pid).runtimeEnv(same).remote().get()).isEqualTo(one);
    assertThat(Aktis.task(ProcessTest::pid).runtimeEnv(RuntimeEnv.NONE).remote().get())
        .isEqualTo(plain);
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics({"7.env.process", "2.options.isolated"})
  void work_thatIsIsolated_hasItsEnvironmentAndAProcessOfItsOwn() throws IOException {
    RuntimeEnv env = RuntimeEnv.NONE.variable("COLOUR", "blue").jar(library("isolated"));
    long shared = Aktis.task(ProcessTest::pid).runtimeEnv(env).remote().get();

    String seen = Aktis.task(EnvironmentTest::seen).runtimeEnv(env).isolated().remote().get();

    assertThat(seen).endsWith(" blue isolated").doesNotStartWith(shared + " ");
    assertThat(Aktis.task(EnvironmentTest::seen).runtimeEnv(env).remote().get())
        .isEqualTo(shared + " blue isolated");
  }

  static String seen() {
    return ProcessHandle.current().pid() + " " + System.getenv("COLOUR") + " " + Library.version();
  }

  @Test
  @EngineTest(cpus = 2, gpus = 2)
  @SeveralProcesses(WHY)
  @Semantics({"6.environment", "7.env.process"})
  void gpus_withAnEnvironment_areOfTheWorkAlone() {
    RuntimeEnv env = RuntimeEnv.NONE.variable("CUDA_VISIBLE_DEVICES", "7").variable("A", "b");

    assertThat(Aktis.task(ProcessTest::visibleGpus).gpus(2).runtimeEnv(env).remote().get())
        .isEqualTo("0,1");
    assertThat(Aktis.task(ProcessTest::visibleGpus).runtimeEnv(env).remote().get()).isEmpty();
    assertThat(Aktis.task(() -> System.getenv("A")).gpus(1).runtimeEnv(env).remote().get())
        .isEqualTo("b");
  }

  // ---- JVM options ----------------------------------------------------------------------------

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.jvm")
  void options_ofATask_areThoseOfItsJvm() {
    RuntimeEnv env =
        RuntimeEnv.NONE.jvmOption("-Xmx77m").jvmOption("-XX:+UseParallelGC").jvmOption("-Da=b c");

    assertThat(Aktis.task(() -> Runtime.getRuntime().maxMemory()).runtimeEnv(env).remote().get())
        .isLessThanOrEqualTo(77L << 20);
    assertThat(Aktis.task(EnvironmentTest::collector).runtimeEnv(env).remote().get())
        .contains("PS");
    assertThat(Aktis.task(() -> System.getProperty("a")).runtimeEnv(env).remote().get())
        .isEqualTo("b c");
  }

  static String collector() {
    return ManagementFactory.getGarbageCollectorMXBeans().getFirst().getName();
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics({"7.env.jvm", "7.env.failure.work"})
  void option_thatTheJvmRefuses_isTheFailureOfTheWorkAlone() {
    RuntimeEnv env = RuntimeEnv.NONE.jvmOption("-XX:+NoSuchOption");
    Gate gate = Gate.closed();
    ObjectRef<Integer> other = Aktis.task(TaskTest::afterGate, gate, 42).remote();
    gate.awaitArrivals(1);

    assertThatThrownBy(Aktis.task(() -> 1).runtimeEnv(env).remote()::get)
        .isInstanceOf(RuntimeEnvException.class)
        .hasMessageContaining("Unrecognized VM option 'NoSuchOption'");
    try (ActorHandle<Place> actor = Aktis.actor(Place::new).runtimeEnv(env).remote()) {
      assertThatThrownBy(actor.ready()::get)
          .isInstanceOf(RuntimeEnvException.class)
          .hasMessageContaining("NoSuchOption");
      assertThatThrownBy(actor.call(Place::option, "a")::get)
          .hasMessageContaining("Unrecognized VM option 'NoSuchOption'");
    }
    gate.open();
    assertThat(other.get()).isEqualTo(42);
    assertThat(gate.arrivals()).isEqualTo(1);
  }

  // ---- jars -----------------------------------------------------------------------------------

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.jars")
  void jars_withTwoVersionsOfALibraryAtOnce_areSeenByTheirOwn() throws IOException {
    RuntimeEnv one = RuntimeEnv.NONE.jar(library("one"));
    RuntimeEnv two = RuntimeEnv.NONE.jar(library("two"));
    Gate gate = Gate.closed();

    ObjectRef<String> first = Aktis.task(EnvironmentTest::versions, gate).runtimeEnv(one).remote();
    ObjectRef<String> second = Aktis.task(EnvironmentTest::versions, gate).runtimeEnv(two).remote();
    Await.until(
        "both to run",
        Duration.ofSeconds(60),
        () -> gate.arrivals() == 2,
        () -> "There were " + gate.arrivals());
    gate.open();

    assertThat(first.get()).isEqualTo("one, one");
    assertThat(second.get()).isEqualTo("two, two");
    assertThat(Aktis.task(Library::version).remote().get()).isEqualTo("the program's");
  }

  static String versions(Gate gate) throws InterruptedException {
    String before = Library.version();
    gate.pass();
    return before + ", " + Library.version();
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.jars")
  void jars_ofAnActor_areItsOwnAlsoWhereItSubmits() throws IOException {
    RuntimeEnv env = RuntimeEnv.NONE.jar(library("the actor's"));

    try (ActorHandle<Nested> actor = Aktis.actor(Nested::new).runtimeEnv(env).remote()) {
      assertThat(actor.call(Nested::version).get()).isEqualTo("the actor's");
      assertThat(actor.call(Nested::versionOfATask).get()).isEqualTo("the actor's");
    }
  }

  /** An actor that submits. */
  static final class Nested {
    String version() {
      return Library.version();
    }

    String versionOfATask() {
      return Aktis.task(Library::version).remote().get();
    }

    String failureOf(String jar) {
      RuntimeEnv env = RuntimeEnv.NONE.jar(Path.of(jar));
      try {
        return Aktis.task(Library::version).runtimeEnv(env).remote().get();
      } catch (RuntimeEnvException e) {
        return "failed: " + e.getMessage();
      }
    }
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics({"7.env.jars", "7.env.failure.work"})
  void jars_thatATaskNames_areThoseOfTheProgramsMachine() throws IOException {
    Path jar = library("named late");

    try (ActorHandle<Nested> actor = Aktis.actor(Nested::new).cpus(0).remote()) {
      assertThat(actor.call(Nested::failureOf, jar.toString()).get()).isEqualTo("named late");
      assertThat(actor.call(Nested::failureOf, dir.resolve("none.jar").toString()).get())
          .startsWith("failed: ")
          .contains("there is no jar " + dir.resolve("none.jar"));
    }
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.jars")
  void files_ofTheClassPath_areResourcesWithTheirNames() throws IOException {
    Path file = Files.writeString(dir.resolve("settings.properties"), "a=b");
    Path folder = Files.createDirectories(dir.resolve("folder/inner"));
    Files.writeString(folder.resolve("more.txt"), "more");
    RuntimeEnv env = RuntimeEnv.NONE.jar(file).jar(dir.resolve("folder"));

    assertThat(
            Aktis.task(EnvironmentTest::resource, "settings.properties")
                .runtimeEnv(env)
                .remote()
                .get())
        .isEqualTo("a=b");
    assertThat(
            Aktis.task(EnvironmentTest::resource, "inner/more.txt").runtimeEnv(env).remote().get())
        .isEqualTo("more");
  }

  static String resource(String name) throws IOException {
    try (InputStream in =
        Thread.currentThread().getContextClassLoader().getResourceAsStream(name)) {
      return in == null ? "none" : new String(in.readAllBytes(), UTF_8);
    }
  }

  // ---- working directories --------------------------------------------------------------------

  private Path directory(String name, String text) throws IOException {
    Path made = Files.createDirectories(dir.resolve(name));
    Files.writeString(made.resolve("text"), text);
    Path script = Files.writeString(made.resolve("run.sh"), "#!/bin/sh\necho ran in $(cat text)\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
    return made;
  }

  static String read(String name) {
    try {
      return Files.exists(Path.of(name)) ? Files.readString(Path.of(name)) : "none";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String write(String name) throws IOException {
    Files.writeString(Path.of(name), "written");
    return Path.of("").toAbsolutePath().toString();
  }

  static String runScript() throws IOException {
    Process script = new ProcessBuilder("./run.sh").start();
    return new String(script.getInputStream().readAllBytes(), UTF_8).strip();
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.directory")
  void directory_ofATask_isACopyWithItsModes() throws IOException {
    Path home = directory("home", "home");
    RuntimeEnv env = RuntimeEnv.NONE.workingDirectory(home);

    assertThat(Aktis.task(EnvironmentTest::read, "text").runtimeEnv(env).remote().get())
        .isEqualTo("home");
    assertThat(Aktis.task(EnvironmentTest::runScript).runtimeEnv(env).remote().get())
        .isEqualTo("ran in home");
    String copy =
        Aktis.task(EnvironmentTest::write, "new").runtimeEnv(env).isolated().remote().get();
    assertThat(home.resolve("new")).doesNotExist();
    assertThat(Aktis.task(EnvironmentTest::read, "new").runtimeEnv(env).remote().get())
        .isEqualTo("none");
    Await.until("the copy to be deleted", () -> !Files.exists(Path.of(copy)));
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.directory")
  void directory_ofAnActor_isItsOwn() throws IOException {
    RuntimeEnv one = RuntimeEnv.NONE.workingDirectory(directory("one", "1"));
    RuntimeEnv two = RuntimeEnv.NONE.workingDirectory(directory("two", "2"));

    try (ActorHandle<Place> first = Aktis.actor(Place::new).runtimeEnv(one).remote();
        ActorHandle<Place> second = Aktis.actor(Place::new).runtimeEnv(two).remote()) {
      assertThat(first.call(Place::read, "text").get()).isEqualTo("1");
      assertThat(second.call(Place::read, "text").get()).isEqualTo("2");
    }
  }

  @Test
  @SeveralProcesses(WHY)
  @Semantics({"7.env.directory", "7.env.merged", "7.env.jars", "7.env.jvm"})
  void environment_ofASession_isUnderThatOfItsTasks() throws IOException {
    RuntimeEnv all =
        RuntimeEnv.NONE
            .workingDirectory(directory("session", "session"))
            .jar(library("the session's"))
            .jvmOption("-Dwho=session")
            .variable("WHO", "session");
    RuntimeEnv own =
        RuntimeEnv.NONE
            .workingDirectory(directory("task", "task"))
            .jvmOption("-Dwhat=task")
            .variable("WHAT", "task");

    try (AktisSession session =
        Aktis.open(options -> Deploy.cpus(2).apply(options).runtimeEnv(all))) {
      assertThat(session.task(EnvironmentTest::whole).remote().get())
          .isEqualTo("session, the session's, session, null, session, null");
      assertThat(session.task(EnvironmentTest::whole).runtimeEnv(own).remote().get())
          .isEqualTo("task, the session's, null, task, session, task");
      assertThat(
              session
                  .task(() -> Aktis.task(EnvironmentTest::whole).remote().get())
                  .runtimeEnv(own)
                  .remote()
                  .get())
          .isEqualTo("task, the session's, null, task, session, task");
    }
  }

  static String whole() {
    return String.join(
        ", ",
        read("text"),
        Library.version(),
        System.getProperty("who"),
        System.getProperty("what"),
        System.getenv("WHO"),
        System.getenv("WHAT"));
  }

  // ---- bad input ------------------------------------------------------------------------------

  @Test
  @SeveralProcesses(WHY)
  @Semantics("7.env.failure.call")
  void files_thatCannotBeSent_areRefusedAtTheCall() throws IOException {
    Path noJar = Files.writeString(dir.resolve("text.jar"), "no jar");
    Path link = Files.createDirectories(dir.resolve("linked"));
    Files.createSymbolicLink(link.resolve("out"), dir.resolve("text.jar"));
    RuntimeEnv none = RuntimeEnv.NONE;

    refused(none.jar(dir.resolve("missing.jar")), "there is no jar " + dir.resolve("missing.jar"));
    refused(none.jar(noJar), noJar + " is not a jar");
    refused(
        none.workingDirectory(dir.resolve("missing")),
        "there is no working directory " + dir.resolve("missing"));
    refused(none.workingDirectory(noJar), noJar + " is not a directory");
    refused(none.workingDirectory(link), "outside of the directory");
    assertThatThrownBy(
            () -> Aktis.actor(Place::new).runtimeEnv(none.jar(dir.resolve("missing.jar"))).remote())
        .isInstanceOf(RuntimeEnvException.class);
    assertThatThrownBy(() ->
            Aktis.open(options ->
                Deploy.cpus(1).apply(options).runtimeEnv(none.jar(dir.resolve("missing.jar")))))
        .isInstanceOf(RuntimeEnvException.class)
        .hasMessageContaining("there is no jar");
    Files.createDirectories(dir.resolve("missing"));
    assertThat(
            Aktis.task(() -> 1)
                .runtimeEnv(none.workingDirectory(dir.resolve("missing")))
                .remote()
                .get())
        .isEqualTo(1);
  }

  private static void refused(RuntimeEnv env, String words) {
    assertThatThrownBy(() -> Aktis.task(() -> 1).runtimeEnv(env).remote())
        .isInstanceOf(RuntimeEnvException.class)
        .hasMessageContaining(words);
  }

  @Test
  @Semantics("7.env.failure.call")
  void environment_thatCannotBe_isRefusedWhenItIsMade() {
    RuntimeEnv none = RuntimeEnv.NONE;

    illegal(() -> none.jvmOption("Main"), "begins with '-'");
    illegal(() -> none.jvmOption("--class-path=a.jar"), "says what runs");
    illegal(() -> none.variable("AKTIS_ADDRESS", "x"), "are the engine's");
    illegal(() -> none.variable("A=B", "x"), "has no '='");
    illegal(() -> none.variable("A", "x\0"), "the code 0");
  }

  private static void illegal(Runnable call, String words) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }

  // ---- code -----------------------------------------------------------------------------------

  /** Makes a jar with the library in a version of its own. */
  private Path library(String version) throws IOException {
    String folder = version.replaceAll("\\W", "-");
    Path source = Files.createDirectories(dir.resolve(folder)).resolve("Library.java");
    Files.writeString(
        source,
        """
        package io.aktis.conformance;

        public final class Library {
          public static String version() {
            return "%s";
          }
        }
        """
            .formatted(version));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                List.of(
                        "-proc:none",
                        "-d",
                        dir.resolve(folder).toString(),
                        "-cp",
                        "none" + File.pathSeparator,
                        source.toString())
                    .toArray(String[]::new));
    assertThat(code).isZero();
    String name = "io/aktis/conformance/Library.class";
    Path jar = dir.resolve(folder + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry(name));
      entries.write(Files.readAllBytes(dir.resolve(folder).resolve(name)));
    }
    return jar;
  }
}
