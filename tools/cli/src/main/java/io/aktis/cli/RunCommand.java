package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.TlsPlaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a user's program, in this JVM or, when it is measured, in one of its own. */
@Command(
    name = "run",
    description = {
      "Run a program: one Java source file, which is compiled in memory, or a jar with a"
          + " Main-Class.",
      "",
      "The program sees the Java and Aktis of this command, and what the jar's Class-Path names."
          + " Its Aktis.init() starts an engine in the program's own JVM, or uses the cluster at"
          + " --address."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis run Hello.java",
      "  aktis run --cpus 4 app.jar input.txt",
      "  aktis run --json Hello.java >result.json",
      "  aktis run --address auto Hello.java"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The program returned.",
      "1:The program threw.",
      "2:The command line was wrong.",
      "3:The program could not be started: it was not found or does not compile.",
      "n:The program called System.exit(n)."
    })
final class RunCommand extends CliCommand {
  @Option(
      names = "--cpus",
      paramLabel = "N",
      converter = WholeNumber.Cpus.class,
      description = "CPUs of the engine that the program starts [all of this machine].")
  private @Nullable Integer cpus;

  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      converter = Address.OfEngine.class,
      description =
          "The engine of the program: a node of a cluster, auto, or local [AKTIS_ADDRESS, or"
              + " local].")
  private @Nullable String address;

  @Option(
      names = "--tls",
      paramLabel = "DIR",
      description =
          "Use TLS, with the certificates in DIR [those in AKTIS_TLS_DIR when it is set, or of the"
              + " cluster when that runs here and uses TLS].")
  private @Nullable Path tlsDir;

  @Option(
      names = "--json",
      description = {
        "Run the program in a JVM of its own and print one line of JSON when it has ended: program,"
            + " exitCode, and seconds from the start of its JVM to its end. What the program prints"
            + " goes to standard error."
      })
  private boolean json;

  @Parameters(index = "0", paramLabel = "PROGRAM", description = "A .java file or a .jar file.")
  private Path program;

  @Parameters(
      index = "1..*",
      paramLabel = "ARG",
      description = "Arguments of the program, options included.")
  private List<String> arguments = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // picocli sets the program
  RunCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    return json ? runMeasured() : runHere();
  }

  private int runHere() {
    if (cpus != null) {
      System.setProperty("aktis.cpus", cpus.toString());
    }
    if (address != null) {
      System.setProperty("aktis.address", address);
    }
    if (tlsDir != null) {
      System.setProperty(TlsPlaces.PROPERTY, tlsDir.toString());
    }
    try {
      Program.load(program, err()).run(arguments);
      return ExitCode.OK;
    } catch (ProgramFailure e) {
      e.tell(err(), isVerbose());
      return ExitCode.FAILED;
    }
  }

  private int runMeasured() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("run"));
    if (cpus != null) {
      command.addAll(List.of("--cpus", cpus.toString()));
    }
    if (address != null) {
      command.addAll(List.of("--address", address));
    }
    if (tlsDir != null) {
      command.addAll(List.of("--tls", tlsDir.toString()));
    }
    if (isVerbose()) {
      command.add("--verbose");
    }
    command.add(program.toString());
    command.addAll(arguments);

    long startNs = System.nanoTime();
    int exitCode = ChildJvm.run(command);
    double seconds = (System.nanoTime() - startNs) / 1e9;

    Map<String, Object> result = new LinkedHashMap<>();
    result.put("program", program.toString());
    result.put("exitCode", exitCode);
    result.put("seconds", Math.round(seconds * 1e3) / 1e3);
    out().println(JSON.std.asString(result));
    return exitCode;
  }
}
