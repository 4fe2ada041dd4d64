package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs whose classes exist in memory alone, and whose code and values the engine sends around.
 */
@Timeout(60)
final class RunOnEngineTest {
  @TempDir private Path folder;

  @AfterEach
  void forgetCpus() {
    System.clearProperty("aktis.cpus");
  }

  @Test
  void program_withRecordsAndLambdas_runsThemAsTasks() throws IOException {
    Path file =
        source(
            "Areas.java",
            """
            import io.aktis.*;

            record Size(int width, int height) {}

            static int area(Size size) {
              return size.width() * size.height();
            }

            void main() {
              try (var session = Aktis.init()) {
                int factor = 2;
                ObjectRef<Size> size = Aktis.put(new Size(3, 7));
                ObjectRef<Integer> area = Aktis.task((Size s) -> area(s) * factor, size).remote();
                ObjectRef<Size> larger = Aktis.task(Size::new, area, 10).remote();
                IO.println(larger.get());
                IO.println(Aktis.map(List.of(1, 2, 3), n -> new Size(n, n)).get());
              }
            }
            """);

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .isEqualTo(
            """
            Size[width=42, height=10]
            [Size[width=1, height=1], Size[width=2, height=2], Size[width=3, height=3]]
            """);
  }

  @Test
  void program_withAnActorOfItsOwnClass_callsIt() throws IOException {
    Path file =
        source(
            "Counting.java",
            """
            import io.aktis.Aktis;

            class Counting {
              private int value;

              int add(int n) {
                return value += n;
              }

              static void main(String[] args) {
                try (var _ = Aktis.init(); var counter = Aktis.actor(Counting::new).remote()) {
                  counter.call(Counting::add, 1);
                  System.out.println(counter.call(Counting::add, 2).get());
                }
              }
            }
            """);

    assertThat(Cli.run("run", file.toString())).isEqualTo(new Cli.Result(0, "3\n", ""));
  }

  @Test
  void program_whoseTaskThrows_isToldWithTheLineInTheTask() throws IOException {
    Path file =
        source(
            "Failing.java",
            """
            import io.aktis.Aktis;

            static class Broke extends RuntimeException {
              Broke(String message) { super(message); }
            }

            static int broken(int n) {
              throw new Broke("at " + n);
            }

            void main() {
              try (var session = Aktis.init()) {
                Aktis.task(n -> broken(n), 7).remote().get();
              }
            }
            """);

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err())
        .startsWith("Failing.java failed: io.aktis.TaskFailedException: ")
        .contains(
            "caused by: Failing$Broke: at 7\n    at Failing.java//Failing.broken(Failing.java:8)")
        .contains("Failing.main(Failing.java:13)");
  }

  @Test
  void program_withCpusFromTheCommandLine_hasThem() throws IOException {
    Path file =
        source(
            "Cpus.java",
            """
            void main() {
              try (var session = io.aktis.Aktis.init()) {
                IO.println(session.cluster().total("CPU"));
              }
            }
            """);

    assertThat(Cli.run("run", "--cpus", "3", file.toString()).out()).isEqualTo("3.0\n");
  }

  @Test
  void process_whoseProgramLeavesItsSessionOpen_ends() throws Exception {
    Path file =
        source(
            "Open.java",
            "void main() { io.aktis.Aktis.init(); IO.println(io.aktis.Aktis.task(() ->"
                + " 1).remote().get()); }");

    assertThat(Cli.runProcess(folder, "run", file.toString()))
        .isEqualTo(new Cli.Result(0, "1\n", ""));
  }

  private Path source(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
