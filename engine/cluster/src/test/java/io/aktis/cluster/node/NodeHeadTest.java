package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.cluster.control.ControlBatch;
import io.aktis.cluster.control.ControlStore;
import io.aktis.cluster.control.MemoryControlStore;
import io.aktis.cluster.rpc.Methods;
import io.aktis.core.id.NodeId;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import io.aktis.wire.message.GetJob;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.JobLogPart;
import io.aktis.wire.message.JobState;
import io.aktis.wire.message.ListJobs;
import io.aktis.wire.message.ReadJobLog;
import io.aktis.wire.message.StatusRequest;
import io.aktis.wire.message.SubmitJob;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heads that follow each other, with the daemons and the control store in this JVM. */
class NodeHeadTest {
  @TempDir static Path programs;

  @TempDir Path dir;
  private final Board board = new Board();
  private final Store store = new Store();
  private final List<NodeFixture> started = new ArrayList<>();

  /** A program that prints a line, and waits when it is told to. */
  @BeforeAll
  static void compile() throws IOException {
    Path source =
        Files.writeString(
            programs.resolve("Tool.java"),
            """
            class Tool {
              static void main(String[] arguments) throws Exception {
                System.out.println("hello");
                if (arguments.length > 0) {
                  Thread.currentThread().join();
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

  @AfterEach
  void end() {
    store.broken = false;
    started.reversed().forEach(NodeFixture::close);
  }

  /** A store that several nodes share, and that does not work when the test says so. */
  private static final class Store implements ControlStore {
    private final MemoryControlStore store = new MemoryControlStore(true);
    private volatile boolean broken;

    private void mood() throws IOException {
      if (broken) {
        throw new IOException("the store is not well");
      }
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public String session(String proposed) throws IOException {
      mood();
      return store.session(proposed);
    }

    @Override
    public long epoch() throws IOException {
      mood();
      return store.epoch();
    }

    @Override
    public SortedMap<String, ByteString> read(String table) throws IOException {
      mood();
      return store.read(table);
    }

    @Override
    public boolean claim(long seen, ControlBatch batch) throws IOException {
      mood();
      return store.claim(seen, batch);
    }

    @Override
    public void write(long epoch, ControlBatch batch) throws IOException {
      mood();
      store.write(epoch, batch);
    }

    @Override
    public void close() {}
  }

  private NodeFixture start(int number) throws IOException {
    return start(number, 0);
  }

  private NodeFixture start(int number, long founded) throws IOException {
    Path own = dir.resolve("node-" + number);
    NodeConfig config = NodeFixture.config(own, 1, List.of(), 0, new NodeId(11, number));
    HeadParts head = new HeadParts(store, founded, dir.resolve("jobs-" + number), true);
    NodeFixture node = new NodeFixture(own, config, board::join, Optional.of(head));
    started.add(node);
    return node;
  }

  private static JobEntry submit(NodeFixture node, String... arguments) {
    SubmitJob job =
        SubmitJob.newBuilder()
            .setProgram("Tool.java")
            .setMainClass("Tool")
            .addAllArguments(List.of(arguments))
            .setCode(
                CodeUnit.newBuilder()
                    .addFiles(
                        CodeFile.newBuilder().setName(programs.resolve("classes").toString())))
            .build();
    return ClientCalls.blockingUnaryCall(
        node.channel().call(Methods.SUBMIT_JOB, Await.LIMIT_MS), job);
  }

  private static JobEntry get(NodeFixture node, String job) {
    return ClientCalls.blockingUnaryCall(
        node.channel().call(Methods.GET_JOB, Await.LIMIT_MS),
        GetJob.newBuilder().setJob(job).build());
  }

  private static List<JobEntry> list(NodeFixture node) {
    return ClientCalls.blockingUnaryCall(
            node.channel().call(Methods.LIST_JOBS, Await.LIMIT_MS), ListJobs.getDefaultInstance())
        .getJobsList();
  }

  private static JobLogPart log(NodeFixture node, String job) {
    return ClientCalls.blockingUnaryCall(
        node.channel().call(Methods.READ_JOB_LOG, Await.LIMIT_MS),
        ReadJobLog.newBuilder().setJob(job).setWaitMs(5_000).build());
  }

  private static void await(NodeFixture node, String job, JobState state) {
    Await.until(() -> "state of " + get(node, job), () -> get(node, job).getState() == state);
  }

  private static void awaitPrinted(NodeFixture node, String job) {
    Await.until(
        () -> "nothing is printed by " + get(node, job),
        () -> log(node, job).getData().toStringUtf8().equals("hello\n"));
  }

  private static void awaitEpoch(NodeFixture node, long epoch) {
    Await.until(() -> "the status is " + node.status(), () -> epoch(node) == epoch);
  }

  /** Returns in which epoch the node itself serves. */
  private static long epoch(NodeFixture node) {
    return ClientCalls.blockingUnaryCall(
            node.channel().call(Methods.STATUS, Await.LIMIT_MS),
            StatusRequest.newBuilder().setLocalOnly(true).build())
        .getEpoch();
  }

  private static void isUnavailable(NodeFixture node, String words) {
    assertThatThrownBy(() -> list(node))
        .satisfies(
            e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(Status.Code.UNAVAILABLE))
        .hasMessageContaining(words);
  }

  // ---- one after the other --------------------------------------------------------------------

  @Test
  void head_thatIsStartedAgain_knowsItsJobsAndCountsOn() throws IOException {
    NodeFixture first = start(1);
    String done = submit(first).getJob();
    await(first, done, JobState.SUCCEEDED);
    String stopped = submit(first, "wait").getJob();
    awaitPrinted(first, stopped);
    JobEntry before = get(first, done);
    assertThat(first.status().getEpoch()).isEqualTo(1);
    first.close();

    NodeFixture again = start(2);

    assertThat(again.status().getEpoch()).isEqualTo(2);
    assertThat(get(again, done)).isEqualTo(before);
    assertThat(get(again, stopped).getState()).isEqualTo(JobState.STOPPED);
    assertThat(log(again, done).getData().toStringUtf8()).isEqualTo("hello\n");
    assertThat(log(again, done).getEnd()).isTrue();
    assertThat(submit(again).getJob()).isEqualTo("job-3");
  }

  @Test
  void head_thatIsGone_isFollowedByTheNextOldestWhoFailsWhatRan() throws IOException {
    NodeFixture first = start(1);
    NodeFixture second = start(2);
    NodeFixture third = start(3);
    String job = submit(first, "wait").getJob();
    awaitPrinted(first, job);
    long pid = get(first, job).getPid();
    assertThat(second.status().getHeadAddress()).isEqualTo(first.daemon.address());
    assertThatThrownBy(() -> list(second))
        .hasMessageContaining("the head is at " + first.daemon.address());

    board.gone(board.members().getFirst()); // the daemon hears it as well, and lives on

    awaitEpoch(second, 2);
    JobEntry lost = get(second, job);
    assertThat(lost.getState()).isEqualTo(JobState.FAILED);
    assertThat(lost.getReason())
        .isEqualTo("it was lost: the head that ran it has ended, and its process with that");
    assertThat(lost.getStartedAtMs()).isPositive();
    assertThat(lost.getEndedAtMs()).isGreaterThanOrEqualTo(lost.getStartedAtMs());
    assertThat(submit(second).getJob()).isEqualTo("job-2");
    assertThat(third.status().getHeadAddress()).isEqualTo(second.daemon.address());
    Await.until(
        () -> "the job of the former head runs",
        () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    assertThatThrownBy(() -> list(first)).hasMessageContaining("this node is none");
    assertThat(get(second, job)).as("nothing is written by the former head").isEqualTo(lost);
  }

  @Test
  void log_thatIsOnAnotherMachine_isSaidToBeThere() throws IOException {
    NodeFixture first = start(1);
    String job = submit(first).getJob();
    await(first, job, JobState.SUCCEEDED);
    first.close();
    JobDriver.delete(dir.resolve("jobs-1")); // as if it were

    NodeFixture second = start(2);

    JobLogPart part = log(second, job);
    assertThat(part.getEnd()).isTrue();
    assertThat(part.getJob().getState()).isEqualTo(JobState.SUCCEEDED);
    assertThat(part.getMissing())
        .startsWith("the log of " + job + " is not here: it was on the machine of the head at ")
        .endsWith("/jobs-1/" + job);
  }

  @Test
  void order_thatChanges_movesTheHead() throws IOException {
    NodeFixture first = start(1);
    NodeFixture second = start(2);
    assertThat(first.status().getEpoch()).isEqualTo(1);

    board.reverse();

    awaitEpoch(second, 2);
    assertThat(epoch(first)).isZero();
    assertThat(first.status().getHeadAddress()).isEqualTo(second.daemon.address());
  }

  // ---- a store that is somebody else's, or not well -------------------------------------------

  @Test
  void head_whoseStoreIsClaimedByAStranger_resigns() throws IOException {
    NodeFixture first = start(1);
    String job = submit(first, "wait").getJob();
    awaitPrinted(first, job);
    long pid = get(first, job).getPid();

    assertThat(store.claim(1, new ControlBatch())).isTrue();

    Await.until(() -> "it serves on", () -> first.status().getEpoch() == 0);
    isUnavailable(first, "a later head has claimed the control store");
    Await.until(
        () -> "the job of the former head runs",
        () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    assertThat(store.epoch()).as("it does not claim again").isEqualTo(2);
  }

  @Test
  void store_thatDoesNotWork_refusesJobsAndHoldsUpNothingElse() throws IOException {
    NodeFixture first = start(1);
    String job = submit(first, "wait").getJob();
    awaitPrinted(first, job);
    store.broken = true;

    assertThatThrownBy(() -> submit(first)).hasMessageContaining("the store is not well");

    assertThat(list(first)).hasSize(1);
    assertThat(first.status().getEpoch()).isEqualTo(1);
    ProcessHandle.of(get(first, job).getPid()).orElseThrow().destroyForcibly();
    await(first, job, JobState.FAILED);
    assertThat(first.held).hasValue(0);
    store.broken = false;
    assertThat(submit(first).getJob()).as("an id is not used twice").isEqualTo("job-3");
    first.close();
    NodeFixture again = start(2);
    assertThat(get(again, job).getExitCode()).isEqualTo(137);
    assertThat(list(again)).extracting(JobEntry::getJob).containsExactly("job-1", "job-3");
  }

  @Test
  void store_thatDoesNotWorkWhenTheHeadIsGone_isTriedAgain() throws IOException {
    start(1);
    NodeFixture second = start(2);
    store.broken = true;
    board.gone(board.members().getFirst());
    Await.until(
        () -> "the status is " + second.status(),
        () -> second.status().getHeadAddress().equals(second.daemon.address()));
    isUnavailable(second, "this node does not serve as the head yet: ");

    store.broken = false;

    awaitEpoch(second, 2);
  }

  @Test
  void store_thatIsDamaged_isNamedByWhoWouldBeginTheCluster() {
    store.store.claim(
        0, new ControlBatch().put("jobs", "job-1", ByteString.copyFromUtf8("nonsense")));

    assertThatThrownBy(() -> start(1, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is damaged: the entry 'job-1'");
  }

  @Test
  void founder_whoWasOvertaken_doesNotStart() throws IOException {
    assertThat(store.claim(0, new ControlBatch())).isTrue(); // it has begun the cluster
    assertThat(store.claim(1, new ControlBatch())).isTrue(); // and took too long

    assertThatThrownBy(() -> start(1, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another node has begun this cluster at the same time");
    assertThat(store.epoch()).isEqualTo(2);
  }

  @Test
  void founder_servesInTheEpochThatItHasBegun() throws IOException {
    assertThat(store.claim(0, new ControlBatch())).isTrue();

    assertThat(start(1, 1).status().getEpoch()).isEqualTo(1);
  }
}
