package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeDirectoryTest {
  @TempDir Path dir;

  /** The administrator may do everything, so it means more when others run it. */
  @ParameterizedTest
  @ValueSource(strings = {"r-xr-xr-x", "---------", "-wx------", "r--------"})
  void deleteAll_ofADirectoryThatIsLocked_deletesIt(String mode) throws IOException {
    Path root = Files.createDirectory(dir.resolve("root"));
    Path locked = Files.createDirectories(root.resolve("a/locked"));
    Files.writeString(locked.resolve("file"), "x");
    Files.writeString(Files.createDirectory(locked.resolve("inner")).resolve("file"), "x");
    Files.setPosixFilePermissions(locked.resolve("inner"), PosixFilePermissions.fromString(mode));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString(mode));

    NodeDirectory.deleteAll(root);

    assertThat(root).doesNotExist();
  }

  @Test
  void deleteAll_ofADirectoryWithLinks_leavesWhatTheyLeadTo() throws IOException {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.writeString(outside.resolve("file"), "x");
    Path root = Files.createDirectory(dir.resolve("root"));
    Files.createSymbolicLink(root.resolve("link"), outside);

    NodeDirectory.deleteAll(root);

    assertThat(root).doesNotExist();
    assertThat(outside.resolve("file")).exists();
  }
}
