package io.aktis.cli;

import io.aktis.RuntimeEnv;
import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.code.EnvironmentScan;
import io.aktis.cluster.code.InMemoryCode;
import io.aktis.cluster.session.JobClient;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobState;
import io.aktis.wire.message.SubmitJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Has a program run on the machine of the head. */
@Command(
    name = "submit",
    description = {
      "Run a program on the machine of the cluster's head, where it goes on when this command, or"
          + " this machine, has ended.",
      "",
      "A source file is compiled here. The program's Aktis.init() uses the cluster. It has a"
          + " working directory of its own there, which is deleted with the job, and the Java and"
          + " the Aktis of the head; it sees the variables of the head's daemon and those of --env."
          + " Files of this machine do not travel, but for the jar and what its Class-Path names,"
          + " those of --jar, and --working-dir; at most 1 GiB.",
      "",
      "Variables, jars, JVM options and the working directory are the program's and those of its"
          + " workers on all nodes: each process starts in a copy of the directory. A runtime"
          + " environment in the program goes over them.",
      "",
      "A job ends with the head that runs it; the head after it knows how it ended. 32 jobs run at"
          + " a time, 100 may wait."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis submit Hello.java",
      "  aktis submit --wait app.jar -- --input /data/in.txt",
      "  aktis submit --env DAY=monday --main com.example.Report app.jar",
      "  aktis submit --working-dir . --jar lib/csv.jar Report.java",
      "  aktis submit --jvm-option -Xmx2g --driver-jvm-option -Xmx8g app.jar",
      "  aktis job logs -f job-1"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:It is submitted; with --wait, it has ended with 0.",
      "1:No cluster gives an answer, or it refuses; with --wait also that the job was stopped, or"
          + " the head is gone. Standard error says which.",
      "2:The command line was wrong.",
      "3:It is no program: not found, without a main class, or it does not compile.",
      "n:With --wait: the exit code of the program; 128 and the number of the signal that killed"
          + " it."
    })
final class SubmitCommand extends HeadCommand {
  @Option(
      names = "--wait",
      description =
          "Print what the program prints until it ends, and end with its exit code. Ctrl-C ends"
              + " this command and not the job.")
  private boolean wait;

  @Option(
      names = "--env",
      paramLabel = "NAME=VALUE",
      description =
          "A variable in the environment of the program and its workers; may be given several"
              + " times.")
  private Map<String, String> env = new LinkedHashMap<>();

  @Option(
      names = "--jar",
      paramLabel = "FILE",
      description =
          "A jar, a directory of classes, or another file as a resource, before the program on its"
              + " class path; may be given several times.")
  private List<Path> jars = new ArrayList<>();

  @Option(
      names = "--working-dir",
      paramLabel = "DIR",
      description =
          "Start the program, and each of its workers, in a copy of this directory [an empty one];"
              + " at most 512 MiB. What its file .aktisignore names is left out, and .git.")
  private @Nullable Path workingDir;

  @Option(
      names = "--jvm-option",
      paramLabel = "OPTION",
      description =
          "An option of the JVMs of the program and of its workers; may be given several times.")
  private List<String> jvmOptions = new ArrayList<>();

  @Option(
      names = "--driver-jvm-option",
      paramLabel = "OPTION",
      description =
          "An option of the JVM of the program alone, after those of --jvm-option; may be given"
              + " several times.")
  private List<String> driverJvmOptions = new ArrayList<>();

  @Option(
      names = "--main",
      paramLabel = "CLASS",
      description = "The main class of a jar [the Main-Class of its manifest].")
  private @Nullable String mainClass;

  @Option(
      names = "--json",
      description =
          "Print the job as one JSON object, with --wait when it has ended; what the program prints"
              + " goes to standard error then.")
  private boolean json;

  @Parameters(index = "0", paramLabel = "PROGRAM", description = "A .java file or a .jar file.")
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "ARG",
      description = "Arguments of the program, options included; '--' may stand before them.")
  private List<String> arguments = new ArrayList<>();

  private @Nullable Program program;

  @SuppressWarnings("NullAway.Init") // picocli sets the file
  SubmitCommand() {}

  @Override
  void prepare() {
    if (mainClass != null && !file.toString().endsWith(".jar")) {
      throw new ParameterException(
          spec().commandLine(), "--main names the main class of a jar, and " + file + " is none");
    }
    checkOptions();
    program = Program.load(file, jars, mainClass, err());
  }

  @Override
  int run(JobClient head) throws IOException, InterruptedException {
    JobEntry job = submit(head);
    if (!wait) {
      submitted(head, job);
      return ExitCode.OK;
    }
    err().println(job.getJob() + " is submitted to the head at " + head.headAddress());
    err().flush();
    JobEntry ended = follow(head, job.getJob());
    if (json) {
      print(ended);
    }
    if (ended.getState() != JobState.SUCCEEDED) {
      err().println(new JobText(ended).ending());
      err().flush();
    }
    return exitCode(ended);
  }

  private void checkOptions() {
    try {
      new RuntimeEnv(Map.of(), List.of(), jvmOptions, Optional.empty());
      new RuntimeEnv(Map.of(), List.of(), driverJvmOptions, Optional.empty());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private JobEntry submit(JobClient head) throws InterruptedException {
    try (EnvironmentScan environment = new EnvironmentScan();
        CodeUnitScan code = scan(loaded(), environment)) {
      Optional<CodeUnitScan> directory =
          workingDir == null
              ? Optional.empty()
              : Optional.of(environment.workingDirectory(workingDir));
      return head.submit(request(loaded()), List.of(code), directory);
    } catch (IOException e) {
      throw CommandFailure.notStarted(String.valueOf(e.getMessage()), "");
    }
  }

  private Program loaded() {
    if (program == null) {
      throw new IllegalStateException("the program is loaded first");
    }
    return program;
  }

  private CodeUnitScan scan(Program loaded, EnvironmentScan environment) throws IOException {
    List<CodeUnitScan> before = new ArrayList<>();
    for (Path jar : jars) {
      before.add(environment.jar(jar));
    }
    return loaded.loader() instanceof InMemoryCode memory
        ? CodeUnitScan.ofMemory(before, memory)
        : CodeUnitScan.ofClassPath(before, List.of(file));
  }

  private SubmitJob request(Program loaded) {
    boolean isSeparated = !arguments.isEmpty() && arguments.getFirst().equals("--");
    return SubmitJob.newBuilder()
        .setProgram(loaded.name())
        .setMainClass(loaded.main().className())
        .addAllArguments(isSeparated ? arguments.subList(1, arguments.size()) : arguments)
        .putAllEnv(env)
        .addAllJvmOptions(jvmOptions)
        .addAllDriverJvmOptions(driverJvmOptions)
        .build();
  }

  private void submitted(JobClient head, JobEntry job) throws IOException {
    if (json) {
      print(job);
      return;
    }
    String id = job.getJob();
    out().println(id + " is submitted to the head at " + head.headAddress());
    out().println("  aktis job logs -f " + id + addressOption() + "    follows what it prints");
    out().println("  aktis job stop " + id + addressOption() + "       ends it");
    out().flush();
  }

  private void print(JobEntry job) throws IOException {
    out().println(JobText.JSON_WITH_NULLS.asString(new JobText(job).toMap()));
    out().flush();
  }

  private JobEntry follow(JobClient head, String job) throws InterruptedException {
    Thread hint =
        new Thread(
            () ->
                System.err.printf(
                    "%n%s goes on; 'aktis job logs -f %s%s' follows it, 'aktis job stop %s%s' ends"
                        + " it%n",
                    job, job, addressOption(), job, addressOption()),
            "job-goes-on");
    Runtime.getRuntime().addShutdownHook(hint);
    try {
      return new JobOutput(head, job, json ? System.err : System.out, err()).follow();
    } finally {
      removeHook(hint);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The JVM is ending, and the hook has run: there is nothing to remove.
    }
  }

  private static int exitCode(JobEntry ended) {
    return switch (ended.getState()) {
      case SUCCEEDED -> ExitCode.OK;
      case FAILED -> {
        int withoutCode = ended.getStartedAtMs() > 0 ? ExitCode.FAILED : ExitCode.NOT_STARTED;
        yield ended.hasExitCode() ? ended.getExitCode() : withoutCode;
      }
      default -> ExitCode.FAILED;
    };
  }
}
