package io.aktis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands about submitted programs, with a real head. */
@Timeout(120)
final class JobCommandsTest {
  private static final String HOME = "aktis.home.dir";

  @TempDir private static Path folder;
  private static String address;

  @BeforeAll
  static void startAHead() throws IOException {
    System.setProperty(HOME, folder.resolve("home").toString());
    Cli.Result started =
        Cli.run(
            "start",
            "--head",
            "--json",
            "--port",
            "0",
            "--cpus",
            "1",
            "--object-store-memory",
            "64m");
    assertThat(started.exitCode()).as(started.err()).isZero();
    address = (String) JSON.std.mapFrom(started.out()).get("address");
  }

  @AfterAll
  static void stopIt() {
    Cli.Result stopped = Cli.run("stop", "--grace", "20s");
    System.clearProperty(HOME);
    assertThat(stopped.exitCode()).as(stopped.err()).isZero();
    assertThat(folder.resolve("home/sessions")).isEmptyDirectory();
  }

  private static Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** Makes a jar with the classes of a source file. */
  private static Path jar(String name, String manifest, String className, String text)
      throws IOException {
    Path classes = Files.createDirectories(folder.resolve(name + "-classes"));
    Path source = Files.writeString(classes.resolve(className + ".java"), text);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
    assertThat(code).isZero();
    Path jar = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        var files = Files.list(classes)) {
      entries.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
      entries.write(("Manifest-Version: 1.0\r\n" + manifest + "\r\n").getBytes(UTF_8));
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        entries.putNextEntry(new JarEntry(file.getFileName().toString()));
        entries.write(Files.readAllBytes(file));
      }
    }
    return jar;
  }

  private static Path endless() throws IOException {
    return write(
        "Endless.java",
        """
        class Endless {
          static void main() throws Exception {
            System.out.println("begun");
            Thread.currentThread().join();
          }
        }
        """);
  }

  /** Submits a program and returns its id. */
  private static String submit(String... args) throws IOException {
    String[] all = new String[args.length + 2];
    all[0] = "submit";
    all[1] = "--json";
    System.arraycopy(args, 0, all, 2, args.length);
    Cli.Result result = Cli.run(all);
    assertThat(result.err()).isEmpty();
    return (String) JSON.std.mapFrom(result.out()).get("id");
  }

  private static Map<String, Object> status(String job) throws IOException {
    return JSON.std.mapFrom(Cli.run("job", "status", job, "--json").out());
  }

  private static void fails(int exitCode, Cli.Result result, String... words) {
    assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
    assertThat(result.err()).contains(words).doesNotContain("\tat ");
    assertThat(result.out()).isEmpty();
  }

  // ---- a life -----------------------------------------------------------------------------

  @Test
  void submit_thatWaits_printsWhatTheProgramPrintsAndEndsAsIt() throws IOException {
    Path program =
        write(
            "Talk.java",
            """
            class Talk {
              static void main(String[] arguments) {
                System.out.println(String.join("|", arguments));
                System.err.println("hello " + System.getenv("NAME"));
                System.exit(5);
              }
            }
            """);

    Cli.Result result =
        Cli.run(
            "submit", "--wait", "--env", "NAME=a=b,c", program.toString(), "--", "--json", "x y");

    assertThat(result.exitCode()).isEqualTo(5);
    assertThat(result.out()).isEqualTo("--json|x y\nhello a=b,c\n");
    assertThat(result.err())
        .containsPattern("^job-\\d+ is submitted to the head at " + address + "\n")
        .containsPattern("\njob-\\d+ has failed: exit code 5\n$");
  }

  @Test
  void submit_ofAProgramThatUsesTheCluster_isADriverOfIt() throws IOException {
    Path program =
        write(
            "Uses.java",
            """
            import io.aktis.Aktis;

            class Uses {
              static void main() {
                try (var session = Aktis.init()) {
                  IO.println("sum " + session.task(Uses::add, 40, 2).remote().get()
                      + " of nodes " + session.cluster().nodes().size());
                  IO.println(session.task(Uses::worker).remote().get());
                }
              }

              static int add(int a, int b) {
                return a + b;
              }

              static boolean worker() {
                return System.getenv("AKTIS_WORKER_ID") != null;
              }
            }
            """);

    Cli.Result result = Cli.run("submit", "--wait", "--json", program.toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).contains("sum 42 of nodes 1\ntrue\n");
    assertThat(JSON.std.mapFrom(result.out()))
        .containsEntry("state", "SUCCEEDED")
        .containsEntry("exitCode", 0);
  }

  @Test
  void job_fromSubmitToStop_isSeen() throws IOException {
    String job = submit(endless().toString());
    awaitLog(job, "begun\n");

    Map<String, Object> running = status(job);
    assertThat(running.keySet())
        .containsExactly(
            "id",
            "program",
            "mainClass",
            "state",
            "stopping",
            "submitted",
            "started",
            "ended",
            "pid",
            "exitCode",
            "signal",
            "reason");
    assertThat(running)
        .containsEntry("program", "Endless.java")
        .containsEntry("mainClass", "Endless")
        .containsEntry("state", "RUNNING")
        .containsEntry("ended", null)
        .containsEntry("exitCode", null);
    Instant submitted = Instant.parse((String) running.get("submitted"));
    assertThat(Instant.parse((String) running.get("started"))).isAfterOrEqualTo(submitted);
    assertThat(Cli.run("job", "list").out())
        .startsWith("JOB ")
        .containsPattern(job + " +RUNNING +Endless.java +\\d{4}-\\d\\d-\\d\\d .* s\n");

    Cli.Result stopped = Cli.run("job", "stop", job);

    assertThat(stopped.out()).isEqualTo(job + " is stopped (signal 15).\n");
    assertThat(status(job)).containsEntry("state", "STOPPED").containsEntry("signal", 15);
    assertThat(Cli.run("job", "status", job).out())
        .startsWith(job + "  STOPPED\n")
        .contains("  exit code  143\n");
    assertThat(Cli.run("job", "logs", "-f", job)).isEqualTo(new Cli.Result(0, "begun\n", ""));
    @SuppressWarnings("unchecked")
    List<Map<String, Object>> all =
        (List<Map<String, Object>>)
            JSON.std.mapFrom(Cli.run("job", "list", "--json").out()).get("jobs");
    assertThat(all).anySatisfy(each -> assertThat(each).containsEntry("id", job));
  }

  private static void awaitLog(String job, String text) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!Cli.run("job", "logs", job).out().equals(text)) {
      assertThat(System.nanoTime()).as("the log of " + job).isLessThan(deadline);
    }
  }

  @Test
  void submit_forPeople_saysWhatToDoNext() throws IOException {
    Cli.Result result = Cli.run("submit", "--address", address, endless().toString());

    assertThat(result.exitCode()).as(result.err()).isZero();
    String job = result.out().substring(0, result.out().indexOf(' '));
    assertThat(result.out())
        .startsWith(job + " is submitted to the head at " + address + "\n")
        .contains("aktis job logs -f " + job + " --address " + address)
        .contains("aktis job stop " + job + " --address " + address);
    assertThat(Cli.run("job", "stop", job, "--grace", "0s").out())
        .isEqualTo(job + " is stopped (signal 9).\n");
  }

  // ---- jars -------------------------------------------------------------------------------

  private static final String SPEAKER =
      """
      public class Speaker {
        public static void main(String[] arguments) {
          System.out.println("speaks");
        }
      }
      """;

  @Test
  void jar_withAMainClass_runs() throws IOException {
    Path jar = jar("good.jar", "Main-Class: Speaker\r\n", "Speaker", SPEAKER);

    Cli.Result result = Cli.run("submit", "--wait", jar.toString());

    assertThat(result.out()).isEqualTo("speaks\n");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void jar_withoutAMainClass_isRefusedUnlessOneIsNamed() throws IOException {
    Path jar = jar("mainless.jar", "", "Speaker", SPEAKER);

    fails(3, Cli.run("submit", jar.toString()), "its manifest has no Main-Class", "Hint: ");
    fails(
        3,
        Cli.run("submit", "--main", "Missing", jar.toString()),
        "the class Missing of " + jar + " cannot be loaded");
    fails(
        3,
        Cli.run("submit", "--main", "java.lang.String", jar.toString()),
        "the class java.lang.String of " + jar + " has no main method");
    Cli.Result named = Cli.run("submit", "--wait", "--main", "Speaker", jar.toString());
    assertThat(named.out()).isEqualTo("speaks\n");
  }

  @Test
  void jar_whoseMainClassIsMissing_isRefused() throws IOException {
    Path jar = jar("lost.jar", "Main-Class: Lost\r\n", "Speaker", SPEAKER);

    fails(3, Cli.run("submit", jar.toString()), "the Main-Class Lost of", "ClassNotFoundException");
  }

  // ---- bad input --------------------------------------------------------------------------

  @Test
  void program_thatIsNone_isNotSubmitted() throws IOException {
    Path broken = write("Broken.java", "class Broken { void main() { int x = \"\"; } }");
    Path text = write("text.jar", "no jar");

    fails(3, Cli.run("submit", "missing.jar"), "there is no file missing.jar");
    fails(3, Cli.run("submit", "Missing.java"), "there is no file Missing.java");
    fails(3, Cli.run("submit", broken.toString()), "error: incompatible types", "does not compile");
    fails(3, Cli.run("submit", text.toString()), "is not a jar");
    fails(
        2,
        Cli.run("submit", "--main", "Broken", broken.toString()),
        "--main names the main class of a jar");
  }

  @Test
  void variables_thatCannotBeSet_areRefused() throws IOException {
    String program = endless().toString();

    fails(
        1,
        Cli.run("submit", "--env", "AKTIS_ADDRESS=local", program),
        "the variable AKTIS_ADDRESS cannot be set");
    fails(1, Cli.run("submit", "--env", "1=2", program), "'1' is no name of a variable");
    fails(2, Cli.run("submit", "--env", "NAME", program), "NAME=VALUE");
  }

  @Test
  void job_thatIsNotThereOrOver_isNamed() throws IOException {
    for (String command : List.of("status", "logs", "stop")) {
      fails(1, Cli.run("job", command, "job-4711"), "there is no job-4711 here");
      fails(1, Cli.run("job", command, "4711"), "'4711' is no id of a job; ids are such as job-7");
      fails(2, Cli.run("job", command), "JOB");
    }
    fails(2, Cli.run("job"), "One of list, status, logs and stop");
    String over = submit(endless().toString());
    Cli.run("job", "stop", over, "--grace", "0s");

    fails(1, Cli.run("job", "stop", over), over + " is over already: STOPPED");
  }

  @Test
  void head_thatIsNotThere_isNamed() throws IOException {
    String program = endless().toString();

    fails(1, Cli.run("job", "list", "--address", "127.0.0.1:1"), "127.0.0.1:1");
    fails(1, Cli.run("submit", "--address", "127.0.0.1:1", program), "127.0.0.1:1");
    Path token = write("token", "a-token-that-is-not-the-right-one\n");
    fails(
        1,
        Cli.run("job", "list", "--address", address, "--token-file", token.toString()),
        "the token is not that of this cluster");
  }
}
