package io.aktis.cluster.code;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipInputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentScanTest {
  @TempDir Path dir;
  private final EnvironmentScan scan = new EnvironmentScan();

  @AfterEach
  void end() {
    scan.close();
  }

  private static void assertFails(String words, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining(words);
  }

  @Test
  void jar_andWhatItsManifestNames_areInOrder() throws IOException {
    TestCode.jar(dir.resolve("lib/b.jar"), "", Map.of("b", new byte[1]));
    Path jar =
        TestCode.jar(dir.resolve("a.jar"), "Class-Path: lib/b.jar\n", Map.of("a", new byte[1]));

    assertThat(scan.jar(jar).unit().getFilesList())
        .extracting(CodeFile::getName)
        .containsExactly("a.jar", "b.jar");
  }

  @Test
  void file_thatIsNoJar_isAResourceWithItsName() throws IOException {
    Path file = Files.writeString(dir.resolve("some.conf"), "a = b");

    CodeUnitScan found = scan.jar(file);

    try (InputStream in = found.open(found.unit().getFiles(0));
        ZipInputStream zip = new ZipInputStream(in)) {
      assertThat(zip.getNextEntry().getName()).isEqualTo("some.conf");
      assertThat(new String(zip.readAllBytes(), UTF_8)).isEqualTo("a = b");
      assertThat(zip.getNextEntry()).isNull();
    }
  }

  @Test
  void path_askedAgain_isNotReadAgain() throws IOException {
    Path file = Files.writeString(dir.resolve("some.conf"), "a = b");
    CodeUnitScan first = scan.jar(file);
    Files.writeString(file, "a = c");

    assertThat(scan.jar(file)).isSameAs(first);
    assertThat(scan.jar(dir.resolve(".").resolve("some.conf")).unit()).isNotEqualTo(first.unit());
  }

  @Test
  void path_thatIsWrong_isRefusedAndLookedAtAgain() throws IOException {
    Path missing = dir.resolve("missing.jar");
    assertFails("there is no jar " + missing, () -> scan.jar(missing));
    assertFails("there is no working directory " + missing, () -> scan.workingDirectory(missing));

    Files.writeString(missing, "no jar");
    assertFails(missing + " is not a jar", () -> scan.jar(missing));
    assertFails(missing + " is not a directory", () -> scan.workingDirectory(missing));

    Files.delete(missing);
    TestCode.jar(missing, "", Map.of("a", new byte[1]));
    assertThat(scan.jar(missing).unit().getFilesCount()).isOne();
    assertFails(missing + " is not a directory", () -> scan.workingDirectory(missing));
  }

  @Test
  void archive_ofAWorkingDirectory_isTakenAsItIs() throws IOException {
    Files.createDirectories(dir.resolve("work/inner"));
    CodeUnitScan packed = scan.workingDirectory(dir.resolve("work"));
    Path archive = dir.resolve("archive");
    try (InputStream in = packed.open(packed.unit().getFiles(0))) {
      Files.copy(in, archive);
    }

    CodeFile file = scan.workingDirectory(archive).unit().getFiles(0);

    assertThat(file.getSha256()).isEqualTo(packed.unit().getFiles(0).getSha256());
  }

  @Test
  void unit_behindJars_hasThemFirst() throws IOException {
    Path jar = TestCode.jar(dir.resolve("a.jar"), "", Map.of("a", new byte[1]));
    Path program = TestCode.jar(dir.resolve("program.jar"), "", Map.of("b", new byte[1]));

    try (CodeUnitScan all = CodeUnitScan.ofClassPath(List.of(scan.jar(jar)), List.of(program));
        CodeUnitScan memory =
            CodeUnitScan.ofMemory(List.of(scan.jar(jar)), () -> Map.of("c", new byte[1]))) {
      assertThat(all.unit().getFilesList())
          .extracting(CodeFile::getName)
          .containsExactly("a.jar", "program.jar");
      assertThat(memory.unit().getFilesList())
          .extracting(CodeFile::getName)
          .containsExactly("a.jar", "memory");
    }
  }

  @Test
  void scan_thatIsClosed_takesNothing() {
    scan.close();

    assertFails("closed", () -> scan.workingDirectory(dir));
  }
}
