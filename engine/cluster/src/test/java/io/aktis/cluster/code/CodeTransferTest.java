package io.aktis.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.cluster.code.CodeException.Reason;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.wire.message.CodeChunk;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodePut;
import io.aktis.wire.message.CodeUnit;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Code travels from a driver to a node and from node to node, over real connections. */
class CodeTransferTest {
  private static final Credentials CREDENTIALS = new Credentials("secret", "s");
  private static final int BIG_BYTES = 5 << 20;

  @TempDir Path directory;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Node first;
  private Node second;
  private CodeUnitScan scan;

  private record Node(CodeCache cache, RpcChannel channel, Path files) {}

  @BeforeEach
  void start() throws Exception {
    first = node("first", 16 << 20, Long.MAX_VALUE, 10_000);
    second = node("second", 16 << 20, Long.MAX_VALUE, 10_000);
    byte[] big = new byte[BIG_BYTES];
    new Random(1).nextBytes(big);
    Path classes =
        TestCode.compile(
            directory.resolve("classes"), Map.of("a.Main", "package a; class Main {}"));
    scan = scan(TestCode.jar(directory.resolve("big.jar"), "", Map.of("big", big)), classes);
  }

  private Node node(String name, long limitBytes, long freeBytes, long stallMs) throws Exception {
    Path files = directory.resolve(name);
    CodeCache cache = CodeCache.open(files, limitBytes, List.of(), () -> freeBytes);
    open.addFirst(cache);
    var service = ServerServiceDefinition.builder(Methods.NODE);
    new CodeService(cache, stallMs).addTo(service);
    RpcServer server = RpcServer.start("127.0.0.1", 0, CREDENTIALS, List.of(service.build()));
    open.addFirst(server);
    RpcChannel channel = RpcChannel.open("127.0.0.1:" + server.port(), CREDENTIALS);
    open.addFirst(channel);
    return new Node(cache, channel, files);
  }

  private CodeUnitScan scan(Path... entries) throws Exception {
    CodeUnitScan made = CodeUnitScan.ofClassPath(List.of(entries));
    open.addFirst(made);
    return made;
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    assertThat(TestCode.namesIn(directory.resolve("first"))).isEmpty();
  }

  private static void assertFails(Reason reason, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(CodeException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((CodeException) e).reason())
        .isEqualTo(reason);
  }

  @Test
  void upload_whenTheNodeLacksTheUnit_bringsTheSameBytes() throws Exception {
    CodeUpload.Sent sent = CodeUpload.run(first.channel, scan);
    assertThat(sent.files()).isEqualTo(2);
    assertThat(sent.sizeBytes()).isEqualTo(first.cache.usedBytes()).isGreaterThan(BIG_BYTES);
    List<Path> paths = first.cache.paths(scan.unit());
    for (int i = 0; i < 2; i++) {
      try (var in = scan.open(scan.unit().getFiles(i))) {
        assertThat(Files.readAllBytes(paths.get(i))).isEqualTo(in.readAllBytes());
      }
    }
  }

  @Test
  void upload_again_sendsNothing() throws Exception {
    CodeUpload.run(first.channel, scan);
    FileTime before = Files.getLastModifiedTime(first.cache.paths(scan.unit()).getFirst());
    assertThat(CodeUpload.run(first.channel, scan)).isEqualTo(new CodeUpload.Sent(0, 0));
    assertThat(Files.getLastModifiedTime(first.cache.paths(scan.unit()).getFirst()))
        .isEqualTo(before);
  }

  @Test
  void uploads_atOnce_allSucceedAndOneFileStays() throws Exception {
    List<Future<CodeUpload.Sent>> uploads;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<CodeUpload.Sent> upload = () -> CodeUpload.run(first.channel, scan);
      uploads = threads.invokeAll(List.of(upload, upload, upload));
    }
    for (Future<CodeUpload.Sent> upload : uploads) {
      upload.get();
    }
    assertThat(first.cache.usedBytes()).isEqualTo(sizeOf(scan.unit()));
    assertThat(TestCode.namesIn(first.files)).hasSize(3); // two jars and the lock
  }

  private static long sizeOf(CodeUnit unit) {
    return unit.getFilesList().stream().mapToLong(CodeFile::getSizeBytes).sum();
  }

  @Test
  void fetch_fromAnotherNode_bringsTheSameBytes() throws Exception {
    CodeUpload.run(first.channel, scan);
    second.cache.fetchFrom(first.channel, scan.unit());
    assertThat(second.cache.lacks(scan.unit()).getFilesCount()).isZero();
    assertThat(second.cache.paths(scan.unit()).getFirst())
        .hasSameBinaryContentAs(first.cache.paths(scan.unit()).getFirst());
  }

  @Test
  void fetch_fromANodeThatLacksIt_saysSo() {
    assertFails(
        Reason.MISSING,
        "does not have big.jar",
        () -> second.cache.fetchFrom(first.channel, scan.unit()));
    assertThat(second.cache.usedBytes()).isZero();
  }

  @Test
  void fetch_ofAFileThatWasDamagedThere_isRefused() throws Exception {
    CodeUpload.run(first.channel, scan);
    Path kept = first.cache.paths(scan.unit()).getFirst();
    byte[] bytes = Files.readAllBytes(kept);
    bytes[bytes.length / 2]++;
    Files.write(kept, bytes);
    assertFails(
        Reason.DAMAGED,
        "arrived damaged",
        () -> second.cache.fetchFrom(first.channel, scan.unit()));
    assertThat(second.cache.usedBytes()).isZero();
    assertThat(TestCode.namesIn(second.files)).containsExactly("lock");
  }

  /** Sends chunks by hand and returns how the call ends. */
  private static Status put(Node node, CodeChunk... chunks) throws Exception {
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<CodeChunk, CodePut> call = node.channel.call(Methods.PUT_CODE);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.request(2);
    for (CodeChunk chunk : chunks) {
      call.sendMessage(chunk);
    }
    call.halfClose();
    return end.get(10, TimeUnit.SECONDS);
  }

  private static CodeChunk head(CodeFile file) {
    return CodeChunk.newBuilder().setHead(file).build();
  }

  private static CodeChunk data(int sizeBytes) {
    return CodeChunk.newBuilder().setData(ByteString.copyFrom(new byte[sizeBytes])).build();
  }

  @Test
  void put_ofBytesWithAnotherHash_isRefusedAndLeavesNothing() throws Exception {
    CodeFile file = scan.unit().getFiles(0).toBuilder().setSizeBytes(100).build();
    Status wrong = put(first, head(file), data(60), data(40));
    assertThat(wrong.getCode()).isEqualTo(Status.Code.DATA_LOSS);
    assertThat(wrong.getDescription()).contains("big.jar").contains("have the hash");
    assertThat(put(first, head(file), data(99)).getDescription()).contains("only 99 bytes came");
    assertThat(put(first, head(file), data(101)).getDescription()).contains("more bytes came");
    assertThat(first.cache.usedBytes()).isZero();
    assertThat(TestCode.namesIn(first.files)).containsExactly("lock");
  }

  @Test
  void put_withoutAProperHead_isRefused() throws Exception {
    assertThat(put(first, data(1)).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(put(first).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    CodeFile escape =
        CodeFile.newBuilder().setName("../x").setSha256(ByteString.copyFromUtf8("../x")).build();
    Status refused = put(first, head(escape), data(1));
    assertThat(refused.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refused.getDescription()).contains("a hash has 32 bytes");
  }

  @Test
  void put_thatIsGivenUp_leavesNothing() throws Exception {
    ClientCall<CodeChunk, CodePut> call = first.channel.call(Methods.PUT_CODE);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.sendMessage(head(scan.unit().getFiles(0)));
    call.sendMessage(data(1 << 20));
    TestCode.await("the write has begun", () -> first.cache.usedBytes() > 0);
    call.cancel("test", null);
    TestCode.await("the room is given back", () -> first.cache.usedBytes() == 0);
    TestCode.await("no file", () -> TestCode.namesIn(first.files).equals(List.of("lock")));
  }

  @Test
  void put_thatStandsStill_isGivenUp() throws Exception {
    Node hasty = node("hasty", 16 << 20, Long.MAX_VALUE, 100);
    CompletableFuture<Status> end = new CompletableFuture<>();
    ClientCall<CodeChunk, CodePut> call = hasty.channel.call(Methods.PUT_CODE);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    call.sendMessage(head(scan.unit().getFiles(0)));
    assertThat(end.get(10, TimeUnit.SECONDS).getDescription()).contains("nothing came for 100 ms");
    TestCode.await("the room is given back", () -> hasty.cache.usedBytes() == 0);
  }

  @Test
  void upload_ofAJarThatChanged_isRefusedByTheDriver() throws Exception {
    Path jar = TestCode.jar(directory.resolve("a.jar"), "", Map.of("a", new byte[3 << 20]));
    CodeUnitScan changing = scan(jar);
    FileTime time = Files.getLastModifiedTime(jar);
    byte[] bytes = Files.readAllBytes(jar);
    bytes[bytes.length - 1]++;
    Files.write(jar, bytes); // the same size, and the same file
    Files.setLastModifiedTime(jar, time);
    assertFails(Reason.CHANGED, "a.jar was changed", () -> CodeUpload.run(first.channel, changing));
    TestCode.await("the room is given back", () -> first.cache.usedBytes() == 0);
    Files.write(jar, new byte[] {1});
    assertFails(
        Reason.CHANGED, "was changed or removed", () -> CodeUpload.run(first.channel, changing));
  }

  @Test
  void upload_ofMoreThanTheLimit_saysSo() throws Exception {
    Node small = node("small", 1 << 20, Long.MAX_VALUE, 10_000);
    assertFails(
        Reason.NO_ROOM,
        "does not fit into the code cache",
        () -> CodeUpload.run(small.channel, scan));
    assertThat(small.cache.usedBytes()).isZero();
  }

  @Test
  void upload_toAFullDisk_saysSo() throws Exception {
    Node full = node("full", 16 << 20, 1000, 10_000);
    assertFails(
        Reason.NO_ROOM, "1000 bytes free, too few", () -> CodeUpload.run(full.channel, scan));
    assertThat(full.cache.usedBytes()).isZero();
  }

  @Test
  void upload_toNobodyOrWithAWrongToken_saysSo() throws Exception {
    String address = first.channel.address();
    try (RpcChannel wrong = RpcChannel.open(address, new Credentials("guess", "s"));
        RpcChannel nobody = RpcChannel.open("127.0.0.1:1", CREDENTIALS)) {
      assertFails(Reason.REFUSED, "token", () -> CodeUpload.run(wrong, scan));
      assertFails(Reason.UNREACHABLE, "127.0.0.1:1", () -> CodeUpload.run(nobody, scan));
      assertFails(
          Reason.UNREACHABLE, "127.0.0.1:1", () -> second.cache.fetchFrom(nobody, scan.unit()));
    }
  }
}
