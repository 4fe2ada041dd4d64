package io.aktis.cluster.node;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.wire.message.LeaseGranted;
import io.aktis.wire.message.WorkerKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Workers start with a cache of loaded classes where it fits, and as quietly where it does not. */
class WorkerCacheTest {
  /** A cache of this JDK, and of no class path that a worker has. */
  private static Path made;

  @TempDir static Path shared;
  @TempDir Path dir;
  private NodeFixture node;

  /** What can be wrong with a cache. */
  enum Cache {
    MISSING,
    EMPTY,
    NO_CACHE,
    CUT_OFF,
    OF_ANOTHER_JDK,
    OF_ANOTHER_CLASS_PATH
  }

  @BeforeAll
  static void make() throws Exception {
    made = shared.resolve("made.aot");
    Process java =
        new ProcessBuilder(
                java(), "-XX:+UseSerialGC", "-Xmx64m", "-XX:AOTCacheOutput=" + made, "-version")
            .redirectErrorStream(true)
            .start();
    String said = new String(java.getInputStream().readAllBytes(), UTF_8);
    assertThat(java.waitFor()).as(said).isZero();
    assertThat(made).as(said).exists();
  }

  @AfterEach
  void end() {
    if (node != null) {
      node.close();
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private OwnerClient owner(Path cache) throws IOException {
    NodeConfig config = NodeFixture.config(dir, 2, List.of(), 0);
    List<String> options = new ArrayList<>(NodeConfig.WorkerCommand.JVM_OPTIONS);
    options.add("-Xmx64m");
    NodeConfig.WorkerCommand workers =
        new NodeConfig.WorkerCommand(
            config.workers().java(),
            config.workers().classPath(),
            options,
            List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off"),
            config.workers().mainClass());
    node = new NodeFixture(dir, NodeFixture.withWorkers(config, workers));
    return node.owner(7);
  }

  private static List<String> commandOf(OwnerClient owner, LeaseGranted lease) throws Exception {
    long pid = owner.tell(lease, "PATH").getPid();
    String line = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), ISO_8859_1);
    return Arrays.asList(line.split("\0"));
  }

  private Path cache(Cache kind) throws IOException {
    Path file = dir.resolve("worker.aot");
    byte[] bytes = Files.readAllBytes(made);
    switch (kind) {
      case MISSING -> {}
      case EMPTY -> Files.createFile(file);
      case NO_CACHE -> Files.writeString(file, "no cache at all\n".repeat(100_000));
      case CUT_OFF -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case OF_ANOTHER_JDK -> Files.write(file, ofAnotherJdk(bytes));
      case OF_ANOTHER_CLASS_PATH -> Files.write(file, bytes);
    }
    return file;
  }

  /** The version of the JVM is in the header, as text. */
  private static byte[] ofAnotherJdk(byte[] bytes) {
    String header = new String(bytes, 0, 4096, ISO_8859_1);
    int at = header.indexOf(System.getProperty("java.vm.version"));
    assertThat(at).as("where the version of the JVM is").isPositive();
    bytes[at]++;
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void worker_withACacheThatIsNotForIt_startsAndSaysNothingOfIt(Cache kind) throws Exception {
    Path cache = cache(kind);
    OwnerClient owner = owner(cache);
    LeaseGranted lease = owner.lease(1);

    assertThat(commandOf(owner, lease)).contains("-XX:AOTCache=" + cache);
    assertThat(node.logs().lines().filter(line -> !line.startsWith("SLF4J")))
        .containsExactly("ready to serve");
  }

  static Stream<WorkerKey> keysThatDoNotFit() {
    return Stream.of(
        WorkerKey.newBuilder().addJvmOptions("-Xshare:auto").build(),
        WorkerKey.newBuilder().addJvmOptions("-Xshare:off").build(),
        WorkerKey.newBuilder().addJvmOptions("-XX:+UseZGC").build(),
        WorkerKey.newBuilder().addJvmOptions("-XX:+UseCompactObjectHeaders").build(),
        WorkerKey.newBuilder().addJvmOptions("-XX:SharedArchiveFile=none.jsa").build(),
        WorkerKey.newBuilder().addJvmOptions("--add-modules=java.sql").build(),
        WorkerKey.newBuilder().putEnv("JAVA_TOOL_OPTIONS", "-Xshare:auto").build(),
        WorkerKey.newBuilder().putEnv("JDK_JAVA_OPTIONS", "-Xshare:auto").build());
  }

  @ParameterizedTest
  @MethodSource("keysThatDoNotFit")
  void worker_withOptionsThatMayNotFit_startsWithoutTheCache(WorkerKey key) throws Exception {
    OwnerClient owner = owner(made);
    owner.askFor(owner.ask(1, 1).setWorker(key));
    LeaseGranted lease = owner.granted(1);

    assertThat(commandOf(owner, lease))
        .containsAll(key.getJvmOptionsList())
        .noneMatch(option -> option.startsWith("-XX:AOTCache"));
  }

  @Test
  void worker_withOptionsThatFit_startsWithTheCache() throws Exception {
    OwnerClient owner = owner(made);
    WorkerKey key =
        WorkerKey.newBuilder()
            .addJvmOptions("-Xmx80m")
            .addJvmOptions("-Da=b")
            .addJvmOptions("-XX:+UseParallelGC")
            .build();
    owner.askFor(owner.ask(1, 1).setWorker(key));
    LeaseGranted lease = owner.granted(1);

    assertThat(commandOf(owner, lease)).contains("-Xmx80m", "-XX:AOTCache=" + made);
  }
}
