package io.aktis.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.testkit.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs that are submitted to a cluster of two nodes, by the commands. */
final class SubmitTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(2, 1);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Path write(Machine machine, String name, String text) throws IOException {
    return Files.writeString(machine.file(name), text);
  }

  /** A program that keeps an actor at work, and never ends. */
  private static Path endless(Machine machine) throws IOException {
    return write(
        machine,
        "Endless.java",
        """
        import io.aktis.Aktis;

        class Endless {
          static void main() throws Exception {
            var session = Aktis.init();
            var actor = session.actor(Endless::new).remote();
            System.out.println("worker " + actor.call(Endless::pid).get());
            System.out.println("driver " + ProcessHandle.current().pid());
            actor.call(Endless::never).get();
          }

          long pid() {
            return ProcessHandle.current().pid();
          }

          long never() throws Exception {
            Thread.currentThread().join();
            return 0;
          }
        }
        """);
  }

  private static String submit(Machine machine, Path program, String... arguments) {
    String[] line = new String[arguments.length + 3];
    line[0] = "submit";
    line[1] = "--json";
    line[2] = program.toString();
    System.arraycopy(arguments, 0, line, 3, arguments.length);
    return (String) RealCluster.parse(machine.mustAktis(line)).get("id");
  }

  /** Follows the log of a job until it has a line that begins so; returns the rest of it. */
  private static String awaitLog(Machine machine, String job, String start) {
    try (Program logs = machine.startAktis(Map.of(), "job", "logs", "-f", job)) {
      return logs.awaitLine(start);
    }
  }

  private static Map<String, Object> status(Machine machine, String job) {
    return RealCluster.parse(machine.mustAktis("job", "status", job, "--json"));
  }

  private static void awaitGone(String... pids) {
    for (String pid : pids) {
      Await.until(
          "process " + pid + " to be gone",
          SOON,
          () -> ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isEmpty(),
          () -> "");
    }
  }

  // ---- lives ------------------------------------------------------------------------------

  @Test
  void example_submittedAtAnyNode_runsOnTheHeadAndIsWaitedFor() {
    String other = cluster.nodes().get(1).address();
    Path primes = Path.of("../../examples/primes/Primes.java").toAbsolutePath().normalize();

    Program.Result result =
        cluster
            .machine()
            .aktis("submit", "--wait", "--address", other, primes.toString(), "--", "300000");

    assertThat(result.exitCode()).as(result.text()).isZero();
    assertThat(result.out()).contains("primes below 300,000, counted by 12 tasks");
    assertThat(result.err())
        .contains("is submitted to the head at " + cluster.nodes().getFirst().address());
  }

  @Test
  void job_thatNeverEnds_isFollowedListedAndStopped() throws IOException {
    Machine machine = cluster.machine();
    String job = submit(machine, endless(machine));
    String driver = awaitLog(machine, job, "driver ");
    String worker = awaitLog(machine, job, "worker ");
    assertThat(status(machine, job)).containsEntry("state", "RUNNING");
    assertThat(((Number) status(machine, job).get("pid")).longValue())
        .isEqualTo(Long.parseLong(driver));
    String other = cluster.nodes().get(1).address();
    assertThat(machine.mustAktis("job", "list", "--address", other))
        .containsPattern(job + " +RUNNING +Endless.java");

    assertThat(machine.mustAktis("job", "stop", job)).contains(job + " is stopped");

    awaitGone(driver, worker);
    assertThat(status(machine, job)).containsEntry("state", "STOPPED");
    Program.Result again = machine.aktis("job", "stop", job);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains(job + " is over already: STOPPED");
  }

  @Test
  void builds_ofTheSameClass_runAtOnceEachWithItsOwn() throws IOException {
    Machine machine = cluster.machine();
    Path go = machine.file("submitted-go");
    String one = submit(machine, build("one"), go.toString());
    String two = submit(machine, build("two"), go.toString());
    awaitLog(machine, one, "task one");
    awaitLog(machine, two, "task two");

    Notes.touch(go); // both have workers now

    assertThat(machine.mustAktis("job", "logs", "-f", one)).isEqualTo("task one\nagain one\n");
    assertThat(machine.mustAktis("job", "logs", "-f", two)).isEqualTo("task two\nagain two\n");
    assertThat(status(machine, one)).containsEntry("state", "SUCCEEDED");
    assertThat(status(machine, two)).containsEntry("state", "SUCCEEDED");
  }

  /** A jar in which the name of its build is compiled in. */
  private static Path build(String name) throws IOException {
    Path folder = Files.createDirectories(cluster.machine().file("build-" + name));
    Path source =
        Files.writeString(
            folder.resolve("Build.java"),
            """
            import io.aktis.Aktis;
            import java.nio.file.Files;
            import java.nio.file.Path;

            public class Build {
              public static void main(String[] arguments) throws Exception {
                try (var session = Aktis.init()) {
                  System.out.println("task " + session.task(Build::name).remote().get());
                  while (!Files.exists(Path.of(arguments[0]))) {
                    java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
                  }
                  System.out.println("again " + session.task(Build::name).remote().get());
                }
              }

              static String name() {
                return "NAME";
              }
            }
            """
                .replace("NAME", name));
    Sources.compile(source, folder);
    Path jar = folder.resolve("build.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
      entries.write("Manifest-Version: 1.0\r\nMain-Class: Build\r\n\r\n".getBytes(UTF_8));
      entries.putNextEntry(new JarEntry("Build.class"));
      entries.write(Files.readAllBytes(folder.resolve("Build.class")));
    }
    return jar;
  }

  // ---- ends -------------------------------------------------------------------------------

  @Test
  void interrupt_ofWhoWaits_leavesTheJobRunning() throws Exception {
    Machine machine = cluster.machine();
    Program.Result result;
    String driver;
    try (Program waiting =
        machine.startAktis(Map.of(), "submit", "--wait", endless(machine).toString())) {
      driver = waiting.awaitLine("driver ");
      Program.run(List.of("kill", "-INT", Long.toString(waiting.pid())), machine);
      result = waiting.awaitEnd();
    }

    assertThat(result.exitCode()).isEqualTo(130);
    String job = result.err().substring(0, result.err().indexOf(' '));
    assertThat(result.err()).contains(job + " goes on; 'aktis job logs -f " + job + "'");
    assertThat(status(machine, job)).containsEntry("state", "RUNNING");
    assertThat(machine.mustAktis("job", "stop", job)).contains(job + " is stopped");
    awaitGone(driver);
  }

  @Test
  void head_thatIsKilled_takesItsJobsAndIsMissedByWhoWaits() throws IOException {
    try (RealCluster own = RealCluster.start(1, 1);
        Program waiting =
            own.machine()
                .startAktis(Map.of(), "submit", "--wait", endless(own.machine()).toString())) {
      String driver = waiting.awaitLine("driver ");
      String worker = waiting.awaitLine("worker ");

      own.nodes().getFirst().signal("KILL");

      awaitGone(driver, worker);
      Program.Result result = waiting.awaitEnd();
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err()).contains("the head is gone, and job-1 ends with it");
    }
  }

  @Test
  void stop_ofAClusterWithAJob_endsTheJobFirst() throws IOException {
    try (RealCluster own = RealCluster.start(2, 1)) {
      String job = submit(own.machine(), endless(own.machine()));
      String driver = awaitLog(own.machine(), job, "driver ");

      String stopped = own.machine().mustAktis("stop", "--grace", "30s");

      assertThat(stopped.lines())
          .containsExactly(
              "Job job-1 (Endless.java) is stopped.",
              "Node 1 of session " + own.nodes().getFirst().session() + " is stopped.",
              "Node 2 of session " + own.nodes().getFirst().session() + " is stopped.");
      awaitGone(driver);
    }
  }
}
