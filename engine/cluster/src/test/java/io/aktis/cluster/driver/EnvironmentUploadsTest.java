package io.aktis.cluster.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.cluster.code.CodeCache;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.cluster.rpc.RpcServer;
import io.aktis.runtime.port.EnvironmentFiles;
import io.aktis.wire.message.CodeUnit;
import io.grpc.ServerServiceDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of environments travel to a node, over a real connection. */
class EnvironmentUploadsTest {
  private static final Credentials CREDENTIALS = new Credentials("secret", "s");

  @TempDir Path dir;
  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<CodeUnit> held = new CopyOnWriteArrayList<>();
  private CodeCache cache;
  private RpcServer server;
  private EnvironmentUploads uploads;

  @BeforeEach
  void start() throws Exception {
    cache = CodeCache.open(dir.resolve("cache"), 1 << 20);
    open.addFirst(cache);
    var service = ServerServiceDefinition.builder(Methods.NODE);
    cache.addTo(service);
    server = RpcServer.start("127.0.0.1", 0, CREDENTIALS, List.of(service.build()));
    open.addFirst(server);
    RpcChannel channel = RpcChannel.open("127.0.0.1:" + server.port(), CREDENTIALS);
    open.addFirst(channel);
    Environments environments = new Environments();
    open.addFirst(environments);
    uploads = new EnvironmentUploads(environments, channel, held::add);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static EnvironmentFiles await(CompletableFuture<EnvironmentFiles> provided)
      throws Exception {
    return provided.get(60, TimeUnit.SECONDS);
  }

  private static void assertFails(String words, CompletableFuture<EnvironmentFiles> provided) {
    assertThatThrownBy(() -> await(provided))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(RuntimeEnvException.class)
        .hasMessageContaining(words);
  }

  @Test
  void files_provided_areHeldAndThereOnce() throws Exception {
    Path file = Files.writeString(dir.resolve("a.conf"), "a");
    Path work = Files.createDirectory(dir.resolve("work"));
    RuntimeEnv env = RuntimeEnv.NONE.jar(file).workingDirectory(work);

    EnvironmentFiles files = await(uploads.provide(env.variable("A", "1")));

    CodeUnit unit =
        CodeUnit.newBuilder().addAllFiles(files.jars()).addFiles(files.workingDirectory()).build();
    assertThat(held).containsExactly(unit);
    assertThat(cache.paths(unit)).hasSize(2).allMatch(Files::exists);
    assertThat(uploads.provide(env.variable("A", "2")).getNow(null)).isEqualTo(files);
    assertThat(held).hasSize(1);
  }

  @Test
  void file_thatIsNotThere_failsAndIsTriedAgain() throws Exception {
    Path file = dir.resolve("late.conf");
    assertFails("there is no jar " + file, uploads.provide(RuntimeEnv.NONE.jar(file)));

    Files.writeString(file, "here now");

    assertThat(await(uploads.provide(RuntimeEnv.NONE.jar(file))).jars()).hasSize(1);
  }

  @Test
  void files_thatTheNodeHasNoRoomFor_failWithItsWords() throws Exception {
    Path file = Files.write(dir.resolve("large.bin"), new byte[2 << 20]);

    assertFails(
        "does not fit into the code cache of the node", uploads.provide(RuntimeEnv.NONE.jar(file)));
  }

  @Test
  void node_thatIsGone_failsAfterSomeAttempts() throws Exception {
    Path file = Files.writeString(dir.resolve("a.conf"), "a");
    server.close();

    assertFails("127.0.0.1:" + server.port(), uploads.provide(RuntimeEnv.NONE.jar(file)));
  }
}
