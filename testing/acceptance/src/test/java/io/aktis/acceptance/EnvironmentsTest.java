package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Programs that are submitted with a runtime environment to a cluster of two nodes. */
final class EnvironmentsTest {
  private static RealCluster cluster;
  private static Path library;

  @BeforeAll
  static void start() throws IOException {
    cluster = RealCluster.start(2, 1);
    library = library();
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** A library that the program and its tasks use. */
  private static Path library() throws IOException {
    Path folder = Files.createDirectories(cluster.machine().file("library"));
    Path source =
        Files.writeString(
            folder.resolve("Version.java"),
            """
            package library;

            public final class Version {
              public static String text() {
                return "version 7";
              }
            }
            """);
    Sources.compile(source, folder);
    Path jar = folder.resolve("library.jar");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out)) {
      entries.putNextEntry(new JarEntry("library/Version.class"));
      entries.write(Files.readAllBytes(folder.resolve("library/Version.class")));
    }
    return jar;
  }

  private static Path project(String name) throws IOException {
    Path folder = Files.createDirectories(cluster.machine().file(name));
    Files.writeString(folder.resolve("input.txt"), "some input");
    Files.writeString(folder.resolve("large.tmp"), "not needed");
    Files.writeString(folder.resolve(".aktisignore"), "*.tmp\n");
    Path script = Files.writeString(folder.resolve("tool.sh"), "#!/bin/sh\ncat input.txt\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }

  private static Path report() throws IOException {
    return Files.writeString(
        cluster.machine().file("Report.java"),
        """
        import io.aktis.Aktis;
        import io.aktis.NodeInfo;
        import io.aktis.RuntimeEnv;
        import java.nio.file.Files;
        import java.nio.file.Path;

        class Report {
          static void main() throws Exception {
            System.out.println("driver: " + line());
            try (var session = Aktis.init()) {
              for (NodeInfo node : session.cluster().nodes()) {
                System.out.println(
                    "task: " + session.task(Report::line).onNode(node.id()).remote().get());
              }
              RuntimeEnv own = RuntimeEnv.NONE.variable("WHO", "the task");
              System.out.println("own: " + session.task(Report::line).runtimeEnv(own).remote().get());
              System.out.println(
                  "context: " + session.task(() -> Aktis.context().env().get("WHO")).remote().get());
            }
          }

          static String line() throws Exception {
            Process tool = new ProcessBuilder("./tool.sh").start();
            return String.join(", ",
                new String(tool.getInputStream().readAllBytes()),
                library.Version.text(),
                System.getProperty("of.all"),
                System.getProperty("of.driver"),
                System.getenv("WHO"),
                "large.tmp " + Files.exists(Path.of("large.tmp")));
          }
        }
        """);
  }

  @Test
  void submit_withAnEnvironment_isThatOfTheProgramAndItsTasksOnEachNode() throws IOException {
    Program.Result result =
        cluster
            .machine()
            .aktis(
                "submit",
                "--wait",
                "--env",
                "WHO=the job",
                "--jar",
                library.toString(),
                "--working-dir",
                project("project").toString(),
                "--jvm-option",
                "-Dof.all=yes",
                "--driver-jvm-option",
                "-Dof.driver=yes",
                report().toString());

    assertThat(result.exitCode()).as(result.text()).isZero();
    assertThat(result.out().lines())
        .containsExactly(
            "driver: some input, version 7, yes, yes, the job, large.tmp false",
            "task: some input, version 7, yes, null, the job, large.tmp false",
            "task: some input, version 7, yes, null, the job, large.tmp false",
            "own: some input, version 7, yes, null, the task, large.tmp false",
            "context: the job");
  }

  @Test
  void submit_ofAnEnvironmentThatCannotBe_saysWhy() throws IOException {
    Machine machine = cluster.machine();
    Path program = report();
    Path linked = project("linked");
    Files.createSymbolicLink(linked.resolve("out"), Path.of("/etc/hostname"));

    Program.Result noJar = machine.aktis("submit", "--jar", "none.jar", program.toString());
    Program.Result noDirectory =
        machine.aktis(
            "submit", "--jar", library.toString(), "--working-dir", "nowhere", program.toString());
    Program.Result link =
        machine.aktis(
            "submit",
            "--jar",
            library.toString(),
            "--working-dir",
            linked.toString(),
            program.toString());
    Program.Result option = machine.aktis("submit", "--jvm-option", "Main", program.toString());
    Program.Result refused =
        machine.aktis(
            "submit",
            "--wait",
            "--jar",
            library.toString(),
            "--jvm-option",
            "-XX:+NoSuchOption",
            program.toString());

    assertThat(noJar.exitCode()).as(noJar.text()).isEqualTo(3);
    assertThat(noJar.err()).contains("there is no jar none.jar");
    assertThat(noDirectory.exitCode()).as(noDirectory.text()).isEqualTo(3);
    assertThat(noDirectory.err()).contains("there is no working directory").contains("nowhere");
    assertThat(link.exitCode()).as(link.text()).isEqualTo(3);
    assertThat(link.err()).contains("is a link to /etc/hostname, which is outside");
    assertThat(option.exitCode()).as(option.text()).isEqualTo(2);
    assertThat(option.err()).contains("'Main' is no option of a JVM");
    assertThat(refused.exitCode()).as(refused.text()).isEqualTo(1);
    assertThat(refused.text()).contains("Unrecognized VM option 'NoSuchOption'");
  }
}
