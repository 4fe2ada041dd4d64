package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.code.EnvironmentScan;
import io.aktis.core.id.ObjectId;
import io.aktis.wire.message.AskLease;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import io.aktis.wire.message.Demand;
import io.aktis.wire.message.LeaseGranted;
import io.aktis.wire.message.NodeHello;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.Resources;
import io.aktis.wire.message.Unblock;
import io.aktis.wire.message.WorkerKey;
import io.aktis.wire.message.WorkerLost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon with real worker processes, and owners that talk to it over real connections. */
class NodeDaemonTest {
  @TempDir Path dir;
  private NodeFixture node;

  private NodeFixture node(int cpus, String... gpus) throws Exception {
    node = new NodeFixture(dir, cpus, List.of(gpus));
    return node;
  }

  @AfterEach
  void end() {
    if (node != null) {
      node.close();
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static void awaitDead(long pid) {
    Await.until(() -> "process " + pid + " lives", () -> !isAlive(pid));
  }

  @Test
  void lease_whenGranted_namesAWorkerThatAnswersAndIsSharedAndReused() throws Exception {
    OwnerClient owner = node(2).connect(7);
    owner.send(OwnerToNode.newBuilder().setHello(owner.hello()));
    NodeHello hello = owner.next(NodeToOwner::hasHello).getHello();
    assertThat(hello.getLabelsMap()).containsEntry("zone", "a");
    assertThat(hello.getStoreFile()).isEqualTo("/dev/shm/of-the-test");
    assertThat(hello.getNumbers().getTotal().getCpuUnits()).isEqualTo(20_000);

    LeaseGranted one = owner.lease(1);
    LeaseGranted two = owner.lease(2);

    assertThat(two.getWorkerId()).isEqualTo(one.getWorkerId());
    assertThat(two.getNumbers().getAvailable().getCpuUnits()).isZero();
    long pid = owner.tell(one, "PATH").getPid();
    owner.giveBack(1);
    owner.giveBack(2);
    LeaseGranted three = owner.lease(3);
    assertThat(owner.tell(three, "PATH").getPid()).isEqualTo(pid);
    try (var files = Files.list(dir.resolve("session").resolve("workers-" + node.config.node()))) {
      assertThat(files).as("settings with the token").isEmpty();
    }
  }

  @Test
  void lease_whenAllIsTaken_isRefusedAndTriedAgain() throws Exception {
    OwnerClient first = node(1).owner(7);
    OwnerClient second = node.owner(8);
    first.lease(1);
    first.send(OwnerToNode.newBuilder().setMarkIdle(first.id(1)));

    second.askFor(second.ask(1, 1));
    var refused = second.next(NodeToOwner::hasLeaseRefused).getLeaseRefused();
    assertThat(refused.getFailed()).isFalse();
    assertThat(refused.getReason()).contains("BUSY");
    assertThat(first.next(NodeToOwner::hasReclaim).getReclaim().getIdsList())
        .containsExactly(first.id(1));
    assertThat(node.status().getPending(0).getReason()).contains("cpu");
    first.giveBack(1);
    second.next(NodeToOwner::hasTryAgain);
    second.lease(1);
  }

  @Test
  void numbers_whenSomethingChanges_areTold() throws Exception {
    OwnerClient first = node(2).owner(7);
    OwnerClient second = node.owner(8);

    first.lease(1);

    var numbers =
        second.next(
            each -> each.hasNumbers() && each.getNumbers().getAvailable().getCpuUnits() == 10_000);
    assertThat(numbers.getNumbers().getVersion()).isPositive();
  }

  @Test
  void blockedWork_lendsItsCpuAndGoesOnInItsTurn() throws Exception {
    OwnerClient owner = node(1).owner(7);
    owner.lease(1);
    owner.send(OwnerToNode.newBuilder().setBlock(owner.id(1)));
    owner.lease(2);

    Unblock.Builder unblock = Unblock.newBuilder().setLease(owner.id(1));
    owner.send(OwnerToNode.newBuilder().setUnblock(unblock.setWaiter(41)));
    owner.send(OwnerToNode.newBuilder().setUnblock(unblock.setWaiter(42)));
    owner.askFor(owner.ask(3, 1));
    assertThat(owner.next(NodeToOwner::hasLeaseRefused).getLeaseRefused().getReason())
        .contains("RESUMING");
    assertThat(owner.heard()).noneMatch(NodeToOwner::hasResumed);
    owner.giveBack(2);
    assertThat(owner.next(NodeToOwner::hasResumed).getResumed().getWaiter()).isEqualTo(41);
    assertThat(owner.next(NodeToOwner::hasResumed).getResumed().getWaiter()).isEqualTo(42);
  }

  @Test
  void owner_whenItsStreamIsCut_losesProcessesLeasesAndObjects() throws Exception {
    OwnerClient owner = node(2).owner(7);
    LeaseGranted lease = owner.lease(1);
    LeaseGranted own = owner.isolated(2);
    long pid = owner.tell(lease, "PATH").getPid();
    long ownPid = owner.tell(own, "PATH").getPid();
    String[] children = owner.tell(own, "children").getWorkerId().split(" ");
    assertThat(children).hasSize(3).allMatch(child -> isAlive(Long.parseLong(child)));

    owner.close();

    awaitDead(pid);
    awaitDead(ownPid);
    for (String child : children) {
      awaitDead(Long.parseLong(child));
    }
    node.awaitAllFree();
    Await.until(() -> "objects: " + node.deleted, () -> node.deleted.contains(7L));
    assertThat(node.letGo).containsExactly(7L);
    node.owner(7).lease(1); // the number can come again
  }

  @Test
  void owner_thatSaysGoodbye_hearsTheEndWhenNothingIsLeft() throws Exception {
    OwnerClient owner = node(1).owner(7);
    long pid = owner.tell(owner.lease(1), "PATH").getPid();
    owner.send(OwnerToNode.newBuilder().setDeleteObject(owner.id(5)));

    owner.complete();

    assertThat(owner.end()).isNull();
    assertThat(isAlive(pid)).isFalse();
    assertThat(node.deleted).containsExactly(new ObjectId(7, 5), 7L);
    node.awaitAllFree();
  }

  @Test
  void worker_thatIsKilled_isLostWithItsLeasesAndItsChildren() throws Exception {
    OwnerClient owner = node(2).owner(7);
    LeaseGranted lease = owner.lease(1);
    owner.lease(2);
    String[] children = owner.tell(lease, "children").getWorkerId().split(" ");
    long pid = owner.tell(lease, "PATH").getPid();

    ProcessHandle.of(pid).orElseThrow().destroyForcibly();

    WorkerLost lost = owner.next(NodeToOwner::hasWorkerLost).getWorkerLost();
    assertThat(lost.getReason()).contains("killed by signal 9").contains("ready to serve");
    assertThat(lost.getLeasesList()).containsExactlyInAnyOrder(owner.id(1), owner.id(2));
    assertThat(lost.getOutOfMemory()).isFalse();
    for (String child : children) {
      awaitDead(Long.parseLong(child)); // it was dead before, and is seen by its parent soon
    }
    node.awaitAllFree();
    owner.lease(3);
  }

  @Test
  void worker_thatExits_isLostWithItsCode() throws Exception {
    OwnerClient owner = node(1).owner(7);

    owner.tellLast(owner.lease(1), "exit");

    WorkerLost lost = owner.next(NodeToOwner::hasWorkerLost).getWorkerLost();
    assertThat(lost.getReason()).contains("ended with exit code 5");
  }

  @Test
  void worker_thatEatsAllMemory_isLostForThat() throws Exception {
    OwnerClient owner = node(1).owner(7);

    owner.tellLast(owner.lease(1), "oom");

    WorkerLost lost = owner.next(NodeToOwner::hasWorkerLost).getWorkerLost();
    assertThat(lost.getOutOfMemory()).as(lost.getReason()).isTrue();
  }

  @Test
  void worker_whoseConnectionEnds_isLost() throws Exception {
    OwnerClient owner = node(1).owner(7);

    owner.tellLast(owner.lease(1), "leave");

    owner.next(NodeToOwner::hasWorkerLost);
    owner.lease(2);
  }

  @Test
  void worker_thatItsOwnerWantsKilled_isKilled() throws Exception {
    OwnerClient owner = node(1).owner(7);
    long pid = owner.tell(owner.lease(1), "PATH").getPid();

    owner.send(OwnerToNode.newBuilder().setKillWorkerOf(owner.id(1)));

    WorkerLost lost = owner.next(NodeToOwner::hasWorkerLost).getWorkerLost();
    assertThat(lost.getReason()).contains("owner asked");
    assertThat(isAlive(pid)).isFalse();
  }

  @Test
  void worker_thatCannotStart_failsTheLeaseWithWhatItSaid() throws Exception {
    OwnerClient owner = node(1).owner(7);
    WorkerKey key = WorkerKey.newBuilder().putEnv(TestWorkerMain.MODE, "fail").build();

    owner.askFor(owner.ask(1, 1).setWorker(key));

    var refused = owner.next(NodeToOwner::hasLeaseRefused).getLeaseRefused();
    assertThat(refused.getFailed()).isTrue();
    assertThat(refused.getReason())
        .contains("exit code 7")
        .contains("the tool says why it cannot start");
    owner.lease(2); // the resources came back
  }

  @Test
  void worker_withABadOption_failsTheLeaseWithTheWordsOfTheJvm() throws Exception {
    OwnerClient owner = node(1).owner(7);
    WorkerKey key = WorkerKey.newBuilder().addJvmOptions("-XX:+NoSuchOption").build();

    owner.askFor(owner.ask(1, 1).setWorker(key));

    assertThat(owner.next(NodeToOwner::hasLeaseRefused).getLeaseRefused().getReason())
        .contains("NoSuchOption");
  }

  @Test
  void worker_whoseCodeIsNotHere_failsTheLeaseNamingIt() throws Exception {
    OwnerClient owner = node(1).owner(7);
    WorkerKey key =
        WorkerKey.newBuilder().addFiles(CodeFile.newBuilder().setName("missing.jar")).build();

    owner.askFor(owner.ask(1, 1).setWorker(key));

    var refused = owner.next(NodeToOwner::hasLeaseRefused).getLeaseRefused();
    assertThat(refused.getFailed()).isTrue();
    assertThat(refused.getReason()).contains("missing.jar is not here");
  }

  @Test
  void worker_hasTheCodeAndTheEnvironmentOfItsJobAndKey() throws Exception {
    OwnerClient owner = node(2).connect(7);
    owner.began(
        owner
            .hello()
            .putEnv("ONE", "job")
            .putEnv("TWO", "job")
            .putEnv("AKTIS_SECRET", "job")
            .setCode(CodeUnit.newBuilder().addFiles(CodeFile.newBuilder().setName("app.jar"))));
    WorkerKey key =
        WorkerKey.newBuilder()
            .putEnv("TWO", "key")
            .addFiles(CodeFile.newBuilder().setName("more.jar"))
            .build();
    owner.askFor(owner.ask(1, 1).setWorker(key));
    LeaseGranted lease = owner.granted(1);

    assertThat(owner.tell(lease, "ONE").getWorkerId()).isEqualTo("job");
    assertThat(owner.tell(lease, "TWO").getWorkerId()).isEqualTo("key");
    assertThat(owner.tell(lease, "AKTIS_SECRET").getWorkerId()).isEqualTo("null");
    assertThat(owner.tell(lease, "code").getWorkerId())
        .isEqualTo("[/code/more.jar, /code/app.jar]");
  }

  @Test
  void worker_withWhatTheJobAndItsKeySay_hasThatOfTheKey() throws Exception {
    OwnerClient owner = node(2).connect(7);
    owner.began(
        owner
            .hello()
            .addJvmOptions("-Dwho=job")
            .addJars(CodeFile.newBuilder().setName("job.jar"))
            .setCode(CodeUnit.newBuilder().addFiles(CodeFile.newBuilder().setName("app.jar"))));
    LeaseGranted plain = owner.lease(1);
    WorkerKey key =
        WorkerKey.newBuilder()
            .addJvmOptions("-Dwhat=key")
            .addFiles(CodeFile.newBuilder().setName("key.jar"))
            .build();
    owner.askFor(owner.ask(2, 1).setWorker(key));
    LeaseGranted own = owner.granted(2);

    assertThat(owner.tell(plain, "code").getWorkerId()).isEqualTo("[/code/job.jar, /code/app.jar]");
    assertThat(owner.tell(plain, "-who").getWorkerId()).isEqualTo("job");
    assertThat(owner.tell(own, "code").getWorkerId()).isEqualTo("[/code/key.jar, /code/app.jar]");
    assertThat(owner.tell(own, "-who").getWorkerId()).isEqualTo("null");
    assertThat(owner.tell(own, "-what").getWorkerId()).isEqualTo("key");
  }

  private CodeFile archive(String name) throws Exception {
    try (EnvironmentScan scan = new EnvironmentScan()) {
      Path work = Files.createDirectories(dir.resolve("work-" + name));
      Files.writeString(work.resolve(name), name);
      CodeUnitScan packed = scan.workingDirectory(work);
      try (var in = packed.open(packed.unit().getFiles(0))) {
        Files.copy(in, dir.resolve(name));
      }
      return packed.unit().getFiles(0).toBuilder().setName(name).build();
    }
  }

  @Test
  void worker_withAWorkingDirectory_startsInACopyThatGoesWithIt() throws Exception {
    OwnerClient owner = node(2).connect(7);
    owner.began(owner.hello().setWorkingDirectory(archive("job")));
    LeaseGranted plain = owner.lease(1);
    owner.askFor(
        owner.ask(2, 1).setWorker(WorkerKey.newBuilder().setWorkingDirectory(archive("key"))));
    LeaseGranted own = owner.granted(2);

    Path first = Path.of(owner.tell(plain, "-user.dir").getWorkerId());
    Path second = Path.of(owner.tell(own, "-user.dir").getWorkerId());
    assertThat(first.resolve("job")).hasContent("job");
    assertThat(second.resolve("key")).hasContent("key");
    assertThat(second.resolve("job")).doesNotExist();
    Path locked = Files.createDirectories(second.resolve("locked/inner"));
    Files.setPosixFilePermissions(locked.getParent(), PosixFilePermissions.fromString("---------"));
    owner.close();

    node.awaitAllFree();
    Await.until(
        () -> "left: " + first + " or " + second,
        () -> !Files.exists(first) && !Files.exists(second));
  }

  @Test
  void worker_whoseWorkingDirectoryIsDamaged_failsTheLeaseAndLeavesNothing() throws Exception {
    OwnerClient owner = node(1).owner(7);
    Files.writeString(dir.resolve("bad"), "no archive");
    WorkerKey key =
        WorkerKey.newBuilder().setWorkingDirectory(CodeFile.newBuilder().setName("bad")).build();

    owner.askFor(owner.ask(1, 1).setWorker(key));

    var refused = owner.next(NodeToOwner::hasLeaseRefused).getLeaseRefused();
    assertThat(refused.getFailed()).isTrue();
    assertThat(refused.getReason()).contains("the working directory cannot be unpacked");
    owner.lease(2);
    try (var files = Files.list(dir.resolve("session").resolve("workers-" + node.config.node()))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void files_thatAnOwnerWantsHeld_areKept() throws Exception {
    OwnerClient owner = node(1).owner(7);

    owner.send(
        OwnerToNode.newBuilder()
            .setHoldCode(
                CodeUnit.newBuilder().addFiles(CodeFile.newBuilder().setName("later.jar"))));

    Await.until(() -> "kept: " + node.kept, () -> node.kept.contains("later.jar"));
  }

  @Test
  void worker_thatEndsWithItsLease_isToldToBeGone() throws Exception {
    OwnerClient owner = node(2).owner(7);
    LeaseGranted own = owner.isolated(1);

    owner.giveBack(1);

    WorkerLost lost = owner.next(NodeToOwner::hasWorkerLost).getWorkerLost();
    assertThat(lost.getWorkerId()).isEqualTo(own.getWorkerId());
    assertThat(lost.getLeasesList()).isEmpty();
  }

  @Test
  void gpuWork_getsAProcessOfItsOwnThatSeesItsDevice() throws Exception {
    OwnerClient owner = node(4, "0", "1").owner(7);
    LeaseGranted plain = owner.lease(1);
    Resources gpu = Resources.newBuilder().setGpuUnits(10_000).build();
    AskLease.Builder ask =
        AskLease.newBuilder().setLease(owner.id(2)).setDemand(Demand.newBuilder().setToPlace(gpu));
    owner.askFor(ask);
    LeaseGranted first = owner.granted(2);
    owner.askFor(ask.setLease(owner.id(3)));
    LeaseGranted second = owner.granted(3);

    assertThat(owner.tell(plain, "CUDA_VISIBLE_DEVICES").getWorkerId()).isEmpty();
    assertThat(first.getGpuIdsList()).containsExactly("0");
    assertThat(owner.tell(first, "CUDA_VISIBLE_DEVICES").getWorkerId()).isEqualTo("0");
    assertThat(owner.tell(second, "CUDA_VISIBLE_DEVICES").getWorkerId()).isEqualTo("1");

    long pid = owner.tell(first, "PATH").getPid();
    owner.giveBack(2);
    owner.next(each -> each.hasNumbers() && each.getNumbers().getWholeGpus() == 1);
    assertThat(isAlive(pid)).as("a GPU is free when the process is gone").isFalse();
  }

  @Test
  void output_ofWorkers_goesToFilesAndToTheDriverThatWantsIt() throws Exception {
    OwnerClient owner = node(1).connect(7);
    owner.began(owner.hello().setLogToDriver(true));
    LeaseGranted lease = owner.lease(1);

    owner.tell(lease, "print");

    String worker = lease.getWorkerId();
    Await.until(
        () -> "lines: " + owner.heard(),
        () ->
            owner.logged(worker, false).containsAll(List.of("out 0", "out 1", "out 2"))
                && owner.logged(worker, true).contains("err"));
    assertThat(node.logs()).contains("ready to serve", "out 2", "err");
  }

  @Test
  void output_ofWorkers_staysHereWhenTheDriverDoesNotWantIt() throws Exception {
    OwnerClient owner = node(1).owner(7);

    owner.tell(owner.lease(1), "print");

    Await.until(() -> "no line in the file", () -> contains("out 2"));
    assertThat(owner.heard()).noneMatch(NodeToOwner::hasLog);
  }

  private boolean contains(String text) {
    try {
      return node.logs().contains(text);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
