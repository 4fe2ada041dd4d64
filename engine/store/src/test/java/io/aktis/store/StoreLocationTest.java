package io.aktis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreLocationTest {
  private static final long MIB = 1 << 20;

  @TempDir Path temp;

  @Test
  void choose_sharedMemoryWithRoom_isTakenWithoutWords() throws IOException {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(shm) && Files.getFileStore(shm).getUsableSpace() > MIB);

    StoreLocation location = StoreLocation.choose(MIB, temp.resolve("unused"));
    assertThat(location.directory()).isEqualTo(shm);
    assertThat(location.inMemory()).isTrue();
    assertThat(location.warning()).isEmpty();
    assertThat(temp.resolve("unused")).doesNotExist();
  }

  @Test
  void choose_sharedMemoryTooSmall_takesTheDirectoryWithOneLine() throws IOException {
    try (TinyFileSystem tiny = TinyFileSystem.mount(temp.resolve("shm"), 2 * MIB)) {
      StoreLocation location =
          StoreLocation.choose(4 * MIB, tiny.directory(), temp.resolve("fallback"));

      assertThat(location.directory()).isEqualTo(temp.resolve("fallback")).isDirectory();
      assertThat(location.warning())
          .contains(tiny.directory() + " has 2.0 MiB free, 4.0 MiB are needed")
          .contains("the object store is kept in " + temp.resolve("fallback"))
          .doesNotContain("\n");
    }
  }

  @Test
  void choose_sharedMemoryOnADisk_takesTheDirectory() throws IOException {
    Path disk = Files.createDirectory(temp.resolve("shm"));
    assumeTrue(!Files.getFileStore(disk).type().equals("tmpfs"));

    StoreLocation location = StoreLocation.choose(MIB, disk, temp.resolve("fallback"));
    assertThat(location.directory()).isEqualTo(temp.resolve("fallback"));
    assertThat(location.inMemory()).isFalse();
    assertThat(location.warning()).contains("is not in memory").contains("slower");
  }

  @Test
  void choose_withoutRoomAnywhere_tellsWhatBothHave() {
    assertThatThrownBy(() -> StoreLocation.choose(1L << 60, temp.resolve("no"), temp))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(temp.resolve("no") + " is not a directory")
        .hasMessageContaining(temp + " has ")
        .hasMessageContaining("are needed");
  }
}
