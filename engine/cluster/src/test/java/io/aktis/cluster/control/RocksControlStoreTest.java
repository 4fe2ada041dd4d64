package io.aktis.cluster.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store in a directory. */
class RocksControlStoreTest extends ControlStoreContract {
  /** The library is unpacked once in a process. */
  private static final Path SCRATCH = Path.of("target", "rocksdb-library");

  @TempDir Path dir;

  @Override
  ControlStore open() throws IOException {
    return RocksControlStore.open(dir.resolve("control"), SCRATCH);
  }

  @Override
  void crash(ControlStore store) {
    store.close(); // see the test with another process
  }

  /** Another process that writes and is then killed without a chance to close anything. */
  static final class Writer {
    private Writer() {}

    static void main(String[] arguments) throws IOException {
      ControlStore store =
          RocksControlStore.open(Path.of(arguments[0]), Path.of(arguments[0] + "-scratch"));
      store.session("abc");
      store.claim(0, new ControlBatch());
      store.write(1, new ControlBatch().put("jobs", "a", ByteString.copyFromUtf8("1")));
      System.out.println("written");
      while (true) {
        java.util.concurrent.locks.LockSupport.park();
      }
    }
  }

  @Test
  void store_ofAProcessThatIsKilled_isInUseBeforeAndWholeAfter() throws Exception {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    Writer.class.getName(),
                    dir.resolve("control").toString()))
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(new String(process.getInputStream().readNBytes(7), UTF_8)).isEqualTo("written");
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(dir.resolve("control") + " is in use by another process");
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();

    try (ControlStore store = open()) {
      assertThat(store.session("")).isEqualTo("abc");
      assertThat(store.epoch()).isEqualTo(1);
      assertThat(store.read("jobs")).containsEntry("a", ByteString.copyFromUtf8("1"));
    }
  }

  @Test
  void store_thatIsClosed_saysSo() throws IOException {
    ControlStore store = open();
    store.close();
    store.close();

    assertThatThrownBy(store::epoch).isInstanceOf(IOException.class).hasMessageContaining("closed");
  }

  @Test
  void directory_isOnlyForItsOwner() throws IOException {
    try (ControlStore _ = open()) {
      assertThat(Files.getPosixFilePermissions(dir.resolve("control"))).hasSize(3);
    }
  }

  @Test
  void directory_thatCannotBeMade_isToldByItsName() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));

    assertThatThrownBy(() -> RocksControlStore.open(file.resolve("control"), SCRATCH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }
}
