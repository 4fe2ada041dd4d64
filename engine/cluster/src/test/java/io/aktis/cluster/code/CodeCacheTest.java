package io.aktis.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cache keeps what is used, within its limit, and nothing that is not whole. */
class CodeCacheTest {
  private static final int FILE_BYTES = 100;

  @TempDir Path directory;
  private CodeCache cache;
  private Path files;

  @BeforeEach
  void open() throws Exception {
    files = directory.resolve("code");
    cache = CodeCache.open(files, 3 * FILE_BYTES, List.of(), () -> Long.MAX_VALUE);
  }

  @AfterEach
  void close() throws Exception {
    cache.close();
    assertThat(TestCode.namesIn(files)).isEmpty();
  }

  private static byte[] bytes(int number) {
    byte[] bytes = new byte[FILE_BYTES];
    bytes[0] = (byte) number;
    return bytes;
  }

  private static CodeFile file(int number) {
    return CodeFile.newBuilder()
        .setName(number + ".jar")
        .setSha256(ByteString.copyFrom(Sha256.digest().digest(bytes(number))))
        .setSizeBytes(FILE_BYTES)
        .build();
  }

  private static CodeUnit unit(int... numbers) {
    CodeUnit.Builder unit = CodeUnit.newBuilder();
    for (int number : numbers) {
      unit.addFiles(file(number));
    }
    return unit.build();
  }

  private void put(int number) throws IOException {
    cache.put(file(number), new ByteArrayInputStream(bytes(number)));
  }

  @Test
  void lacks_tellsWhatIsNotThereOnce() throws Exception {
    put(2);
    assertThat(cache.lacks(unit(1, 2, 3, 1))).isEqualTo(unit(1, 3));
    assertThat(cache.paths(unit(2)).getFirst()).hasBinaryContent(bytes(2));
    assertThatThrownBy(() -> cache.paths(unit(2, 3)))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining("3.jar");
  }

  @Test
  void put_beyondTheLimit_evictsWhatWasNotUsedForLongest() throws Exception {
    put(1);
    put(2);
    put(3);
    cache.lacks(unit(1));
    put(4);
    assertThat(cache.lacks(unit(1, 2, 3, 4))).isEqualTo(unit(2));
    assertThat(cache.usedBytes()).isEqualTo(3 * FILE_BYTES);
    assertThat(TestCode.namesIn(files)).hasSize(4); // and the lock
  }

  @Test
  void put_beyondTheLimit_leavesHeldFilesAlone() throws Exception {
    CodeCache.Hold first = cache.hold(unit(1, 2));
    CodeCache.Hold second = cache.hold(unit(2));
    put(1);
    put(2);
    put(3);
    put(4);
    assertThat(cache.lacks(unit(1, 2, 3, 4))).isEqualTo(unit(3));
    first.close();
    first.close();
    put(5);
    put(6);
    assertThat(cache.lacks(unit(1, 2, 4, 5, 6))).isEqualTo(unit(1, 4));
    second.close();
    cache.lacks(unit(5, 6));
    put(7);
    assertThat(cache.lacks(unit(2, 5, 6, 7))).isEqualTo(unit(2));
  }

  @Test
  void put_whenAllIsHeld_isRefusedWithNumbers() throws Exception {
    try (CodeCache.Hold hold = cache.hold(unit(1, 2, 3))) {
      put(1);
      put(2);
      put(3);
      assertThatThrownBy(() -> put(4))
          .isInstanceOf(CodeException.class)
          .hasMessageContaining("4.jar")
          .hasMessageContaining("limit of 300 bytes, running jobs use 300");
      assertThat(hold).isNotNull();
    }
    put(4);
    assertThat(cache.lacks(unit(4)).getFilesCount()).isZero();
  }

  @Test
  void put_ofTheSameFileAgain_countsOnce() throws Exception {
    put(1);
    put(1);
    assertThat(cache.usedBytes()).isEqualTo(FILE_BYTES);
  }

  @Test
  void put_ofWrongBytes_leavesNothing() {
    assertThatThrownBy(() -> cache.put(file(1), new ByteArrayInputStream(bytes(2))))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining("1.jar")
        .hasMessageContaining("damaged");
    assertThat(cache.usedBytes()).isZero();
    assertThat(TestCode.namesIn(files)).containsExactly("lock");
  }

  @Test
  void put_whenTheDirectoryIsGone_saysSo() throws Exception {
    Path gone = directory.resolve("gone");
    CodeCache other = CodeCache.open(gone, 300, List.of(), () -> Long.MAX_VALUE);
    Files.delete(gone.resolve("lock"));
    Files.delete(gone);
    assertThatThrownBy(() -> other.put(file(1), new ByteArrayInputStream(bytes(1))))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining("cannot write 1.jar")
        .extracting(e -> ((CodeException) e).reason())
        .isEqualTo(CodeException.Reason.STORAGE);
    Files.createDirectory(gone);
    other.close();
  }

  @Test
  void file_removedBySomebodyElse_isLackingAndCanComeAgain() throws Exception {
    put(1);
    Files.delete(cache.paths(unit(1)).getFirst());
    assertThat(cache.lacks(unit(1))).isEqualTo(unit(1));
    assertThat(cache.usedBytes()).isZero();
    put(1);
    assertThat(cache.lacks(unit(1)).getFilesCount()).isZero();
  }

  @Test
  void jarOnTheClassPathOfTheNode_isNotLackingWhileItIsTheSame() throws Exception {
    Path jar = TestCode.jar(directory.resolve("own.jar"), "", Map.of("a", new byte[1]));
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(jar));
        CodeCache other =
            CodeCache.open(
                directory.resolve("other"), 300, ClassPath.of(List.of(jar)), () -> 1000)) {
      assertThat(other.lacks(scan.unit()).getFilesCount()).isZero();
      assertThat(other.paths(scan.unit())).containsExactly(jar);
      assertThat(other.usedBytes()).isZero();
      Files.write(jar, new byte[3]);
      assertThat(other.lacks(scan.unit())).isEqualTo(scan.unit());
    }
  }

  @Test
  void directory_hasOneCacheAndStartsEmpty() throws Exception {
    put(1);
    assertThatThrownBy(() -> CodeCache.open(files, 300))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("used by another node");
    cache.close();
    Files.write(files.resolve(Sha256.hex(file(1)) + ".jar"), bytes(9));
    Files.write(files.resolve("3.tmp"), bytes(9));
    cache = CodeCache.open(files, 300);
    assertThat(TestCode.namesIn(files)).containsExactly("lock");
    assertThat(cache.lacks(unit(1))).isEqualTo(unit(1));
  }
}
