package io.aktis.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkingDirectoryTest {
  private static final List<String> MODES =
      List.of("rwxr-xr-x", "r--------", "rw-rw-rw-", "rwxrwxrwx");

  @TempDir Path dir;
  private Path root;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(dir.resolve("root"));
  }

  private Path write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  private Path packed(String name) throws IOException {
    try (EnvironmentScan scan = new EnvironmentScan()) {
      CodeUnitScan archive = scan.workingDirectory(root);
      Path file = dir.resolve(name);
      try (InputStream in = archive.open(archive.unit().getFiles(0))) {
        Files.copy(in, file);
      }
      return file;
    }
  }

  private Path unpacked() throws IOException {
    Path archive = packed("archive.zip");
    assertThat(WorkingDirectory.isArchive(archive)).isTrue();
    Path target = Files.createDirectory(dir.resolve("target"));
    WorkingDirectory.unpack(archive, target);
    return target;
  }

  @Test
  void directory_packedAndUnpacked_hasItsFilesAndTheirModes() throws IOException {
    write("a.txt", "text");
    Files.createDirectories(root.resolve("empty/inner"));
    for (String mode : MODES) {
      Files.setPosixFilePermissions(
          write("modes/" + mode, mode), PosixFilePermissions.fromString(mode));
    }

    Path target = unpacked();

    assertThat(target.resolve("a.txt")).hasContent("text");
    assertThat(target.resolve("empty/inner")).isEmptyDirectory();
    for (String mode : MODES) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(target.resolve("modes").resolve(mode))))
          .isEqualTo(mode);
    }
  }

  @Test
  void directory_withNothing_isUnpackedToNothing() throws IOException {
    assertThat(unpacked()).isEmptyDirectory();
  }

  @Test
  void directories_thatAreEqual_giveEqualBytesAndOthersDoNot() throws IOException {
    Path script = write("run.sh", "x");
    byte[] one = Files.readAllBytes(packed("one"));
    Files.setLastModifiedTime(script, FileTime.fromMillis(1));
    assertThat(Files.readAllBytes(packed("two"))).isEqualTo(one);

    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.readAllBytes(packed("three"))).isNotEqualTo(one);
  }

  @Test
  void links_thatStayInside_areCopied() throws IOException {
    write("lib/libx.so.1", "library");
    Files.createSymbolicLink(root.resolve("lib/libx.so"), Path.of("libx.so.1"));
    Files.createSymbolicLink(root.resolve("latest"), root.resolve("lib"));

    Path target = unpacked();

    assertThat(target.resolve("lib/libx.so")).isRegularFile().hasContent("library");
    assertThat(target.resolve("latest/libx.so.1")).isRegularFile().hasContent("library");
    assertThat(Files.isSymbolicLink(target.resolve("latest"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "../outside,outside of the directory",
    "../folder,outside of the directory",
    "nothing,not there",
    ".,lies in"
  })
  void links_thatLeadElsewhere_areRefusedUnlessIgnored(String to, String words) throws IOException {
    Files.writeString(dir.resolve("outside"), "secret");
    Files.createDirectory(dir.resolve("folder"));
    Files.createSymbolicLink(root.resolve("link"), Path.of(to));

    assertThatThrownBy(() -> WorkingDirectory.list(root))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining(root.resolve("link").toString())
        .hasMessageContaining(words)
        .hasMessageContaining(".aktisignore");

    write(".aktisignore", "link\n");
    assertThat(WorkingDirectory.list(root).keySet()).containsExactly(".aktisignore");
  }

  @Test
  void ignored_namesPathsAndDirectories_areLeftOut() throws IOException {
    write(".aktisignore", "# what is built\n\n*.log\ntarget/\n/top.txt\ndata/**/big.bin\n");
    write("a.log", "");
    write("deep/down/b.log", "");
    write("target/classes/A.class", "");
    write("deep/target", "a file");
    write("top.txt", "");
    write("deep/top.txt", "");
    write("data/x/y/big.bin", "");
    write("data/big.bin", "");
    write(".git/config", "");
    write("deep/.git/config", "");

    assertThat(WorkingDirectory.list(root).keySet())
        .containsExactly(
            ".aktisignore",
            "data/",
            "data/big.bin",
            "data/x/",
            "data/x/y/",
            "deep/",
            "deep/down/",
            "deep/target",
            "deep/top.txt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"!keep", "/", "[a", "{a"})
  void ignored_lineThatIsNoPattern_isRefused(String line) throws IOException {
    write(".aktisignore", "# first\n" + line + "\n");

    assertThatThrownBy(() -> WorkingDirectory.list(root))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining(".aktisignore:2")
        .hasMessageContaining("'" + line + "'");
  }

  @Test
  void directory_thatIsTooLarge_isRefusedWithTheLimits() throws IOException {
    write("a", "12345");
    write("b", "12345");

    assertThatThrownBy(() -> WorkingDirectory.list(root, 10, 9))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining(root + " holds more than the 10 files or 0 MiB")
        .hasMessageContaining(".aktisignore");
    assertThatThrownBy(() -> WorkingDirectory.list(root, 1, 100)).isInstanceOf(CodeException.class);
    assertThat(WorkingDirectory.list(root, 2, 10)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../out", "/etc/x", "a/../../out", ""})
  void archive_withAPlaceOutside_isRefused(String name) throws IOException {
    Path archive = dir.resolve("bad.zip");
    try (OutputStream out = Files.newOutputStream(archive);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(1);
    }
    Path target = Files.createDirectory(dir.resolve("target"));

    assertThatThrownBy(() -> WorkingDirectory.unpack(archive, target))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is no place");
    assertThat(dir.resolve("out")).doesNotExist();
  }

  @Test
  void archive_thatIsDamaged_isRefusedWithItsPlace() throws IOException {
    Path archive = Files.writeString(dir.resolve("bad.zip"), "no archive");
    Path target = Files.createDirectory(dir.resolve("target"));

    assertThat(WorkingDirectory.isArchive(archive)).isFalse();
    assertThatThrownBy(() -> WorkingDirectory.unpack(archive, target))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot be unpacked into " + target);
  }
}
