package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunCommandTest {
  @TempDir private Path folder;

  @Test
  void sourceFile_compact_runsWithItsArguments() throws IOException {
    Path file =
        source("Hello.java", "void main(String[] args) { IO.println(String.join(\"+\", args)); }");

    Cli.Result result = Cli.run("run", file.toString(), "a", "--json", "-h");

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("a+--json+-h\n");
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void sourceFile_withoutArgumentsOfMain_runs() throws IOException {
    Path file =
        source(
            "Hello.java",
            "void main() { IO.println(greeting()); } String greeting() { return \"hi\"; }");

    assertThat(Cli.run("run", file.toString()).out()).isEqualTo("hi\n");
  }

  @Test
  void sourceFile_inAPackageWithSeveralClasses_runsTheOneNamedLikeTheFile() throws IOException {
    Path file =
        source(
            "Second.java",
            """
            package some.where;
            class First { public static void main(String[] args) { System.out.println("first"); } }
            class Second { static void main() { System.out.println("second"); } }
            """);

    assertThat(Cli.run("run", file.toString()).out()).isEqualTo("second\n");
  }

  @Test
  void sourceFile_whoseMainIsInAnotherClass_runsThat() throws IOException {
    Path file =
        source(
            "Program.java",
            """
            interface Greeting { String text(); }
            class Base { protected static void main(String[] args) { System.out.println("inherited"); } }
            class Derived extends Base implements Greeting { public String text() { return ""; } }
            """);

    assertThat(Cli.run("run", file.toString()).out()).isEqualTo("inherited\n");
  }

  @Test
  void program_onItsThread_seesItsClassesThroughTheContextClassLoader() throws IOException {
    Path file =
        source(
            "Loaded.java",
            """
            static class Part {}
            void main() throws Exception {
              var loader = Thread.currentThread().getContextClassLoader();
              IO.println(loader.loadClass("Loaded$Part") == Part.class);
            }
            """);
    ClassLoader before = Thread.currentThread().getContextClassLoader();

    assertThat(Cli.run("run", file.toString()).out()).isEqualTo("true\n");
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
  }

  @Test
  void sourceFile_thatDoesNotCompile_isToldAsTheCompilerTellsIt() throws IOException {
    Path file = source("Broken.java", "void main() {\n  int n = \"text\";\n}\n");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith(file + ":2: error: incompatible types: String cannot be converted to int\n")
        .contains("  int n = \"text\";\n          ^\n1 error\n")
        .endsWith("aktis run: " + file + " does not compile\n");
  }

  @Test
  void sourceFile_withoutMain_isNotStarted() throws IOException {
    Path file = source("Library.java", "class Library { private static void main() {} }");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err()).contains("no class in " + file + " has a main method");
  }

  @Test
  void program_thatThrows_isToldWithItsCausesAndItsOwnLines() throws IOException {
    Path file =
        source(
            "Failing.java",
            """
            void main() {
              try {
                Integer.parseInt("x");
              } catch (NumberFormatException e) {
                throw new IllegalStateException("no number", e);
              }
            }
            """);

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err().lines())
        .containsExactly(
            "Failing.java failed: java.lang.IllegalStateException: no number",
            "    at Failing.java//Failing.main(Failing.java:5)",
            "caused by: java.lang.NumberFormatException: For input string: \"x\"",
            "    at Failing.java//Failing.main(Failing.java:3)",
            "Hint: 'aktis run --verbose' prints the stack trace");
  }

  @Test
  void program_thatThrowsVerbosely_isToldWithTheStackTrace() throws IOException {
    Path file = source("Failing.java", "void main() { throw new StackOverflowError(); }");

    Cli.Result result = Cli.run("run", "--verbose", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err())
        .startsWith("Failing.java failed: java.lang.StackOverflowError\n")
        .contains("\tat java.base/");
  }

  @Test
  void program_thatIsMissing_isNotStarted() {
    Path file = folder.resolve("Missing.java");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err())
        .isEqualTo(
            "aktis run: there is no file "
                + file
                + "\nHint: the program is a path to a .java file or a .jar file\n");
  }

  @Test
  void program_thatIsAFolder_isNotStarted() {
    Cli.Result result = Cli.run("run", folder.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err()).contains(folder + " is not a file");
  }

  @Test
  void program_ofAnotherKind_isNotStarted() throws IOException {
    Path file = source("script.py", "print(1)");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err()).contains("neither a .java file nor a .jar file");
  }

  @Test
  void jar_withAMainClass_runsAndSeesItsClassPath() throws IOException {
    Path library =
        jar(
            "lib/library.jar",
            new Manifest(),
            "Library",
            "public class Library { public static String text() { return \"from the library\"; }"
                + " }");
    Manifest manifest = manifest();
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "App");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "lib/library.jar");
    Path app =
        jar(
            "app.jar",
            manifest,
            "App",
            "class App { static void main(String[] args) { System.out.println(Library.text() +"
                + " args.length); } }",
            library);

    Cli.Result result = Cli.run("run", app.toString(), "x", "y");

    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("from the library2\n");
  }

  @Test
  void jar_withoutAMainClass_isNotStarted() throws IOException {
    Path file = jar("app.jar", manifest(), "App", "class App { static void main() {} }");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err()).contains("its manifest has no Main-Class");
  }

  @Test
  void jar_whoseMainClassIsMissing_isNotStarted() throws IOException {
    Manifest manifest = manifest();
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Other");
    Path file = jar("app.jar", manifest, "App", "class App { static void main() {} }");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err()).contains("the Main-Class Other of " + file + " cannot be loaded");
  }

  @Test
  void jar_thatIsNone_isNotStarted() throws IOException {
    Path file = source("app.jar", "not a jar");

    Cli.Result result = Cli.run("run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(result.err()).contains(file + " is not a jar: ");
  }

  @Test
  void cpus_thatMakeNoSense_areAUsageError() throws IOException {
    Path file = source("Hello.java", "void main() {}");

    for (String cpus : new String[] {"0", "-1", "two", "1e9", "99999999999999999999"}) {
      Cli.Result result = Cli.run("run", "--cpus", cpus, file.toString());

      assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err())
          .startsWith(
              "aktis run: Invalid value for option '--cpus': '"
                  + cpus
                  + "' is not a whole number from 1 to 10,000")
          .endsWith("Try 'aktis run --help'.\n");
    }
  }

  @Test
  void run_withoutProgram_isAUsageError() {
    Cli.Result result = Cli.run("run");

    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("Missing required parameter: 'PROGRAM'");
  }

  @Test
  void process_whoseProgramCallsExit_endsWithItsCode() throws Exception {
    Path file = source("Exit.java", "void main() { IO.println(\"out\"); System.exit(3); }");

    Cli.Result result = Cli.runProcess(folder, "run", file.toString());

    assertThat(result).isEqualTo(new Cli.Result(3, "out\n", ""));
  }

  @Test
  void process_whoseProgramThrows_endsWithOne() throws Exception {
    Path file = source("Failing.java", "void main() { throw new IllegalStateException(\"no\"); }");

    Cli.Result result = Cli.runProcess(folder, "run", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(result.err())
        .startsWith("Failing.java failed: java.lang.IllegalStateException: no\n");
  }

  @Test
  void process_whoseProgramLeavesAThread_waitsForIt() throws Exception {
    Path file =
        source(
            "Later.java",
            """
            void main() {
              var gate = new CountDownLatch(1);
              Thread.ofPlatform().start(() -> {
                try {
                  gate.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                IO.println("later");
              });
              IO.println("main");
              gate.countDown();
            }
            """);

    assertThat(Cli.runProcess(folder, "run", file.toString()))
        .isEqualTo(new Cli.Result(0, "main\nlater\n", ""));
  }

  @Test
  void json_ofAProgramThatEnds_isAllOfStandardOutput() throws Exception {
    Path file = source("Hello.java", "void main(String[] args) { IO.println(args[0]); }");

    Cli.Result result =
        Cli.runProcess(folder, "run", "--cpus", "2", "--json", file.toString(), "--json");

    Map<String, Object> json = JSON.std.mapFrom(result.out());
    assertThat(json).containsOnlyKeys("program", "exitCode", "seconds");
    assertThat(json).containsEntry("program", file.toString()).containsEntry("exitCode", 0);
    assertThat((Double) json.get("seconds")).isBetween(0.01, 60.0);
    assertThat(result.out().lines()).hasSize(1);
    assertThat(result.err()).isEqualTo("--json\n");
  }

  @Test
  void json_ofAProgramThatHalts_tellsItsCode() throws Exception {
    Path file = source("Halt.java", "void main() { Runtime.getRuntime().halt(7); }");

    Cli.Result result = Cli.runProcess(folder, "run", "--json", file.toString());

    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(JSON.std.mapFrom(result.out())).containsEntry("exitCode", 7);
  }

  @Test
  void json_ofAProgramThatDoesNotCompile_tellsTheCodeOfThat() throws Exception {
    Path file = source("Broken.java", "void main() { x }");

    Cli.Result result = Cli.runProcess(folder, "run", "--json", file.toString());

    assertThat(result.exitCode()).isEqualTo(ExitCode.NOT_STARTED);
    assertThat(JSON.std.mapFrom(result.out())).containsEntry("exitCode", ExitCode.NOT_STARTED);
    assertThat(result.err()).contains("error: not a statement");
  }

  private Path source(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Manifest manifest() {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    return manifest;
  }

  /** Compiles one class and packs it. */
  private Path jar(String name, Manifest manifest, String className, String text, Path... classPath)
      throws IOException {
    Path source = source(className + ".java", text);
    String path = classPath.length == 0 ? "." : classPath[0].toString();
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", path, "-d", folder.toString(), source.toString());
    assertThat(exitCode).isZero();
    Path jar = folder.resolve(name);
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      out.putNextEntry(new JarEntry(className + ".class"));
      Files.copy(folder.resolve(className + ".class"), out);
    }
    return jar;
  }
}
