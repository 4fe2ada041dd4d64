package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.code.EnvironmentScan;
import io.aktis.cluster.membership.Membership;
import io.aktis.cluster.membership.SingleNode;
import io.aktis.cluster.rpc.Methods;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import io.aktis.wire.message.GetJob;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobList;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.JobState;
import io.aktis.wire.message.ListJobs;
import io.aktis.wire.message.ReadJobLog;
import io.aktis.wire.message.StopJobs;
import io.aktis.wire.message.StopRequest;
import io.aktis.wire.message.SubmitJob;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Submitted programs, as real processes of a daemon. */
class NodeJobsTest {
  @TempDir static Path programs;

  @TempDir Path dir;
  private NodeFixture node;

  /** A program that does what its first argument says. */
  @BeforeAll
  static void compile() throws IOException {
    Path source =
        Files.writeString(
            programs.resolve("Tool.java"),
            """
            import java.nio.file.Path;

            class Tool {
              static void main(String[] arguments) throws Exception {
                switch (arguments[0]) {
                  case "print" -> {
                    System.out.println("arguments " + String.join("|", arguments));
                    System.err.println("variable " + System.getenv("GREETING"));
                    System.out.println("directory " + Path.of("").toAbsolutePath());
                    System.out.println("input " + System.in.read());
                    System.getenv().keySet().stream()
                        .filter(name -> name.startsWith("AKTIS_")).sorted()
                        .forEach(name -> System.out.println(name + "=" + System.getenv(name)));
                  }
                  case "look" -> {
                    System.out.println("file " + java.nio.file.Files.readString(Path.of("file")));
                    System.out.println("a " + System.getProperty("a"));
                    System.out.println("collector "
                        + java.lang.management.ManagementFactory.getGarbageCollectorMXBeans()
                            .getFirst().getName());
                  }
                  case "exit" -> System.exit(Integer.parseInt(arguments[1]));
                  case "throw" -> throw new IllegalStateException("the program is not well");
                  case "wait" -> {
                    Process child = new ProcessBuilder("sleep", "1000").inheritIO().start();
                    System.out.println("child " + child.pid() + " ");
                    child.waitFor();
                    Thread.currentThread().join();
                  }
                  case "flood" -> {
                    byte[] line = "x".repeat(1023).concat("\\n").getBytes();
                    for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
                      System.out.write(line);
                    }
                    System.out.println("the last line");
                  }
                  case "deaf" -> {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                      System.out.println("hears nothing");
                      while (true) java.util.concurrent.locks.LockSupport.park();
                    }));
                    System.out.println("ready");
                    Thread.currentThread().join();
                  }
                  default -> throw new IllegalArgumentException(arguments[0]);
                }
              }
            }
            """);
    Path classes = Files.createDirectory(programs.resolve("classes"));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", classes.toString(), source.toString());
    assertThat(code).isZero();
  }

  @BeforeEach
  void start() throws IOException {
    node = new NodeFixture(dir, 4, List.of());
  }

  @AfterEach
  void end() {
    node.close();
  }

  private static SubmitJob.Builder tool(String... arguments) {
    return SubmitJob.newBuilder()
        .setProgram("Tool.java")
        .setMainClass("Tool")
        .addAllArguments(List.of(arguments))
        .setCode(
            CodeUnit.newBuilder()
                .addFiles(CodeFile.newBuilder().setName(programs.resolve("classes").toString())));
  }

  private <Q, A> A ask(MethodDescriptor<Q, A> method, Q question) {
    return ClientCalls.blockingUnaryCall(node.channel().call(method, Await.LIMIT_MS), question);
  }

  private String submit(SubmitJob.Builder job) {
    return ask(Methods.SUBMIT_JOB, job.build()).getJob();
  }

  private JobEntry get(String job) {
    return ask(Methods.GET_JOB, GetJob.newBuilder().setJob(job).build());
  }

  private JobLogPart part(String job, long offset) {
    return ask(
        Methods.READ_JOB_LOG,
        ReadJobLog.newBuilder().setJob(job).setOffset(offset).setWaitMs(5_000).build());
  }

  /** Follows a log to its end. */
  private String log(String job) {
    StringBuilder all = new StringBuilder();
    JobLogPart part = part(job, 0);
    long offset = 0;
    while (!part.getEnd()) {
      offset = part.getOffset() + part.getData().size();
      all.append(part.getData().toString(StandardCharsets.UTF_8));
      part = part(job, offset);
    }
    return all.append(part.getData().toString(StandardCharsets.UTF_8)).toString();
  }

  /** Follows a log until it has a word; returns the next one. */
  private String wordAfter(String job, String word) {
    List<String> found = new ArrayList<>();
    Await.until(
        () -> "no '" + word + "' in the log of " + get(job),
        () -> {
          String text = part(job, 0).getData().toString(StandardCharsets.UTF_8);
          int at = text.indexOf(word);
          if (at < 0 || text.indexOf('\n', at) < 0) {
            return false;
          }
          found.add(text.substring(at + word.length()).strip().split("\\s+")[0]);
          return true;
        });
    return found.getFirst();
  }

  private JobEntry stop(String job, long graceMs) {
    JobList ended =
        ask(Methods.STOP_JOBS, StopJobs.newBuilder().setJob(job).setGraceMs(graceMs).build());
    assertThat(ended.getJobsCount()).isEqualTo(1);
    return ended.getJobs(0);
  }

  private static void awaitGone(String pid) {
    Await.until(
        () -> "process " + pid + " is there",
        () -> ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive).isEmpty());
  }

  private static void fails(Status.Code code, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .satisfies(e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  // ---- ends -------------------------------------------------------------------------------

  @Test
  void job_runsWithItsArgumentsVariablesAndDirectory() throws IOException {
    String job = submit(tool("print", "a b", "").putEnv("GREETING", "good day"));

    String log = log(job);
    JobEntry entry = get(job);

    Path own = dir.toRealPath().resolve("session/jobs").resolve(job);
    assertThat(log.lines())
        .startsWith("arguments print|a b|", "variable good day")
        .contains("input -1", "AKTIS_ADDRESS=aktis://" + node.daemon.address())
        .contains("AKTIS_JOB_ID=" + job)
        .anySatisfy(line -> assertThat(line).startsWith("directory ").endsWith(job + "/work"))
        .noneMatch(line -> line.contains("secret"));
    assertThat(entry.getState()).isEqualTo(JobState.SUCCEEDED);
    assertThat(entry.getExitCode()).isZero();
    assertThat(entry.getSubmittedAtMs()).isGreaterThan(1_700_000_000_000L);
    assertThat(entry.getStartedAtMs()).isGreaterThanOrEqualTo(entry.getSubmittedAtMs());
    assertThat(entry.getEndedAtMs()).isGreaterThanOrEqualTo(entry.getStartedAtMs());
    assertThat(own.resolve("output-0.log")).exists();
    assertThat(node.held).hasValue(0);
  }

  private CodeFile archive() throws IOException {
    try (EnvironmentScan scan = new EnvironmentScan()) {
      Path work = Files.createDirectories(dir.resolve("work"));
      Files.writeString(work.resolve("file"), "in the directory");
      CodeUnitScan packed = scan.workingDirectory(work);
      try (var in = packed.open(packed.unit().getFiles(0))) {
        Files.copy(in, dir.resolve("archive"));
      }
      return packed.unit().getFiles(0).toBuilder().setName("archive").build();
    }
  }

  @Test
  void job_withAnEnvironment_startsInACopyOfItsDirectoryWithItsOptions() throws IOException {
    String job =
        submit(
            tool("look")
                .addJvmOptions("-Da=all")
                .addJvmOptions("-XX:+UseSerialGC")
                .addDriverJvmOptions("-Da=driver")
                .setWorkingDirectory(archive()));

    assertThat(log(job).lines())
        .containsExactly("file in the directory", "a driver", "collector Copy");
    Path own = dir.resolve("session/jobs").resolve(job);
    assertThat(own.resolve("environment"))
        .content()
        .contains("option.0=-Da\\=all", "archive")
        .doesNotContain("driver");
    assertThat(node.held).hasValue(0);
  }

  @Test
  void job_whoseDirectoryOrOptionIsBad_failsWithTheReason() throws IOException {
    Files.writeString(dir.resolve("bad"), "no archive");
    String job = submit(tool("look").setWorkingDirectory(CodeFile.newBuilder().setName("bad")));
    log(job);
    assertThat(get(job).getState()).isEqualTo(JobState.FAILED);
    assertThat(get(job).getReason()).contains("the working directory cannot be unpacked");

    String refused = submit(tool("look").addJvmOptions("-XX:+NoSuchOption"));
    assertThat(log(refused)).contains("Unrecognized VM option 'NoSuchOption'");
    assertThat(get(refused).getState()).isEqualTo(JobState.FAILED);

    fails(
        Status.Code.INVALID_ARGUMENT,
        "'Main' is no option of a JVM",
        () -> submit(tool("look").addDriverJvmOptions("Main")));
    fails(
        Status.Code.FAILED_PRECONDITION,
        "missing is not here",
        () -> submit(tool("look").setWorkingDirectory(CodeFile.newBuilder().setName("missing"))));
  }

  @Test
  void job_thatFails_tellsItsExitCodeOrSignal() {
    String exits = submit(tool("exit", "7"));
    String throwing = submit(tool("throw"));
    String waits = submit(tool("wait"));
    wordAfter(waits, "child ");
    ProcessHandle.of(get(waits).getPid()).orElseThrow().destroyForcibly();

    assertThat(log(exits)).isEmpty();
    assertThat(log(throwing)).contains("IllegalStateException: the program is not well");
    log(waits);

    assertThat(get(exits).getState()).isEqualTo(JobState.FAILED);
    assertThat(get(exits).getExitCode()).isEqualTo(7);
    assertThat(get(throwing).getExitCode()).isEqualTo(1);
    assertThat(get(waits).getExitCode()).isEqualTo(137);
    JobList all = ask(Methods.LIST_JOBS, ListJobs.getDefaultInstance());
    assertThat(all.getJobsList())
        .extracting(JobEntry::getJob)
        .containsExactly(exits, throwing, waits);
  }

  @Test
  void job_whoseMainClassIsMissing_saysSo() {
    String job = submit(tool("print").setMainClass("com.example.Missing"));

    assertThat(log(job)).startsWith("the main class com.example.Missing cannot be loaded: ");
    assertThat(get(job).getExitCode()).isEqualTo(3);
  }

  @Test
  void job_thatPrintsMuch_losesTheBeginningOfItsLog() throws IOException {
    String job = submit(tool("flood", Integer.toString(80 << 10)));
    Await.until(
        () -> "it does not end: " + get(job), () -> get(job).getState() == JobState.SUCCEEDED);

    JobLogPart first = part(job, 0);
    String log = log(job);

    long printed = (80L << 20) + "the last line\n".length();
    assertThat(first.getOffset() + log.length()).isEqualTo(printed);
    assertThat(log).endsWith("x\nthe last line\n");
    assertThat((long) log.length()).isBetween(JobLog.MAX_BYTES / 2, JobLog.MAX_BYTES);
  }

  // ---- stopping ---------------------------------------------------------------------------

  @Test
  void stop_ofARunningJob_endsItAndWhatItHasStarted() {
    String job = submit(tool("wait"));
    String child = wordAfter(job, "child ");

    JobEntry ended = stop(job, Await.LIMIT_MS);

    assertThat(ended.getState()).isEqualTo(JobState.STOPPED);
    assertThat(ended.getExitCode()).as("of SIGTERM").isEqualTo(143);
    awaitGone(child);
    awaitGone(Long.toString(ended.getPid()));
    assertThat(part(job, 0).getEnd()).isTrue();
    assertThat(node.held).hasValue(0);
  }

  @Test
  void stop_ofAJobThatDoesNotListen_killsItAfterItsGrace() {
    String job = submit(tool("deaf"));
    wordAfter(job, "ready");

    JobEntry ended = stop(job, 700);

    assertThat(ended.getState()).isEqualTo(JobState.STOPPED);
    assertThat(ended.getExitCode()).as("of SIGKILL").isEqualTo(137);
    assertThat(log(job)).contains("hears nothing");
  }

  @Test
  void stop_ofAJobThatIsOverOrNone_isRefusedInWords() {
    String job = submit(tool("exit", "0"));
    log(job);

    fails(Status.Code.FAILED_PRECONDITION, job + " is over already: SUCCEEDED", () -> stop(job, 0));
    fails(Status.Code.NOT_FOUND, "there is no job-99 here", () -> stop("job-99", 0));
    fails(Status.Code.INVALID_ARGUMENT, "ids are such as job-7", () -> stop("99", 0));
    fails(Status.Code.NOT_FOUND, "there is no job-99 here", () -> get("job-99"));
    fails(Status.Code.NOT_FOUND, "there is no job-99 here", () -> part("job-99", 0));
    fails(Status.Code.OUT_OF_RANGE, "is not one of 0 to 0", () -> part(job, 7));
  }

  @Test
  void close_endsJobsBeforeTheDaemonAndLeavesNothing() throws IOException {
    String job = submit(tool("wait"));
    String child = wordAfter(job, "child ");
    long pid = get(job).getPid();

    node.daemon.close();

    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    awaitGone(child);
    try (var left = Files.list(dir.resolve("session"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void stop_ofTheNode_endsJobsAndTakesNoMore() throws Exception {
    String job = submit(tool("wait"));
    wordAfter(job, "child ");
    long pid = get(job).getPid();
    OwnerClient owner = node.owner(7); // keeps the daemon there until it has gone

    JobList ended =
        ask(Methods.STOP_JOBS, StopJobs.newBuilder().setGraceMs(Await.LIMIT_MS).build());
    assertThat(ended.getJobsList())
        .extracting(JobEntry::getState)
        .containsExactly(JobState.STOPPED);
    fails(
        Status.Code.RESOURCE_EXHAUSTED,
        "the head is stopping and takes no jobs",
        () -> submit(tool("print")));
    ask(
        Methods.STOP,
        StopRequest.newBuilder()
            .setSessionId(NodeFixture.SESSION)
            .setGraceMs(Await.LIMIT_MS)
            .build());
    owner.complete();

    node.daemon.stopped().get(Await.LIMIT_MS, TimeUnit.MILLISECONDS);
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  // ---- bad input --------------------------------------------------------------------------

  @Test
  void submit_ofNonsense_isRefusedInWords() {
    refused("'' is no name of a class", tool("print").setMainClass(""));
    refused("'a b' is no name of a class", tool("print").setMainClass("a b"));
    refused("no files of code", tool("print").clearCode());
    refused("'1A' is no name of a variable", tool("print").putEnv("1A", ""));
    refused("AKTIS_ADDRESS cannot be set", tool("print").putEnv("AKTIS_ADDRESS", "local"));
    refused("have 70000 bytes, and 65536 are allowed", tool("x".repeat(70_000)));
    refused("the variables of the program", tool("print").putEnv("A", "x".repeat(70_000)));
    refused("character with the code 0", tool("a\0b"));
    CodeUnit missing =
        CodeUnit.newBuilder().addFiles(CodeFile.newBuilder().setName("missing.jar")).build();
    fails(
        Status.Code.FAILED_PRECONDITION,
        "missing.jar is not here",
        () -> submit(tool("print").setCode(missing)));
    assertThat(ask(Methods.LIST_JOBS, ListJobs.getDefaultInstance()).getJobsList()).isEmpty();
    assertThat(node.held).hasValue(0);
  }

  private void refused(String words, SubmitJob.Builder job) {
    fails(Status.Code.INVALID_ARGUMENT, words, () -> submit(job));
  }

  @Test
  void node_thatIsNotTheHead_saysSo() throws IOException {
    node.close();
    Path own = dir.resolve("other");
    NodeConfig config = NodeFixture.config(own, 1, List.of(), 0);
    node = new NodeFixture(own, config, NodeJobsTest::plain, Optional.empty());

    fails(
        Status.Code.FAILED_PRECONDITION,
        "jobs are with the head, and this node is none; there is no head now",
        () -> ask(Methods.LIST_JOBS, ListJobs.getDefaultInstance()));
  }

  private static Membership plain(Membership.Member self) {
    assertThat(self.candidate()).isFalse();
    return new SingleNode(self);
  }
}
