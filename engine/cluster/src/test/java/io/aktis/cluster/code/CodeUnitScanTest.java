package io.aktis.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program's class path becomes a unit: complete, in order, and the same for the same bytes. */
class CodeUnitScanTest {
  private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  private static List<String> names(CodeUnit unit) {
    return unit.getFilesList().stream().map(CodeFile::getName).toList();
  }

  private static byte[] bytes(CodeUnitScan scan, CodeFile file) throws Exception {
    try (InputStream in = scan.open(file)) {
      return in.readAllBytes();
    }
  }

  private Path jar(String name, String manifest) throws Exception {
    return TestCode.jar(
        directory.resolve(name),
        manifest,
        Map.of(name + ".txt", name.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void jars_areNamedByTheHashOfTheirBytesInOrder() throws Exception {
    Path second = jar("b.jar", "");
    Path first = jar("z.jar", "");
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(first, second))) {
      assertThat(names(scan.unit())).containsExactly("z.jar", "b.jar");
      for (CodeFile file : scan.unit().getFilesList()) {
        byte[] bytes = bytes(scan, file);
        assertThat(bytes).isEqualTo(Files.readAllBytes(directory.resolve(file.getName())));
        assertThat(file.getSha256().toByteArray())
            .isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
        assertThat(file.getSizeBytes()).isEqualTo(bytes.length);
      }
    }
  }

  @Test
  void missingBrokenAndRepeatedEntries_arePassedOver() throws Exception {
    Path jar = jar("a.jar", "");
    Path same = Files.copy(jar, directory.resolve("same.jar"));
    Path none = directory.resolve("none.jar");
    Path broken = Files.write(directory.resolve("broken.jar"), TEXT);
    Path empty = Files.createDirectory(directory.resolve("empty"));
    List<Path> entries = List.of(none, jar, broken, same, empty, jar);
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(entries)) {
      assertThat(names(scan.unit())).containsExactly("a.jar");
    }
  }

  @Test
  void directory_packedTwice_hasTheSameHashAlsoAfterTouch() throws Exception {
    Path classes = classes("classes");
    CodeUnit before = unitOf(classes);
    for (Path file : List.of(classes, classes.resolve("a/Main.class"), classes.resolve("x.txt"))) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
    }
    assertThat(unitOf(classes)).isEqualTo(before);
    Path again = classes("more/classes");
    assertThat(unitOf(again).getFiles(0).getSha256()).isEqualTo(before.getFiles(0).getSha256());
    assertThat(unitOf(classes.resolve("a/..")).getFiles(0)).isEqualTo(before.getFiles(0));
    Files.writeString(classes.resolve("x.txt"), "more");
    assertThat(unitOf(classes)).isNotEqualTo(before);
  }

  private Path classes(String name) throws Exception {
    Path classes = directory.resolve(name);
    TestCode.compile(classes, Map.of("a.Main", "package a; public class Main {}"));
    Files.write(classes.resolve("x.txt"), TEXT);
    Files.createDirectory(classes.resolve("nothing"));
    return classes;
  }

  private static CodeUnit unitOf(Path entry) throws Exception {
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(entry))) {
      return scan.unit();
    }
  }

  @Test
  void directory_isPackedSortedWithItsDirectories() throws Exception {
    Path classes = classes("classes");
    List<String> found = new ArrayList<>();
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(classes));
        JarInputStream jar =
            new JarInputStream(new ByteArrayInputStream(bytes(scan, scan.unit().getFiles(0))))) {
      for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
        found.add(entry.getName());
      }
      assertThat(scan.unit().getFiles(0).getName()).endsWith("/classes/");
    }
    assertThat(found).containsExactly("a/", "a/Main.class", "nothing/", "x.txt");
  }

  @Test
  void packedJar_leavesNoTemporaryFile() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<String> before = codeFiles(temporary);
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(classes("classes")))) {
      assertThat(codeFiles(temporary)).isEqualTo(before);
      assertThat(bytes(scan, scan.unit().getFiles(0))).isNotEmpty();
    }
  }

  private static List<String> codeFiles(Path temporary) {
    return TestCode.namesIn(temporary).stream()
        .filter(name -> name.startsWith("aktis-code-"))
        .toList();
  }

  @Test
  void directory_tooLarge_isRefusedByName() throws Exception {
    Path classes = Files.createDirectory(directory.resolve("home"));
    try (var file = new java.io.RandomAccessFile(classes.resolve("film").toFile(), "rw")) {
      file.setLength(CodeDirectory.MAX_BYTES + 1); // takes no room on the disk
    }
    assertThatThrownBy(() -> unitOf(classes))
        .isInstanceOf(CodeException.class)
        .hasMessageContaining(classes.toString())
        .hasMessageContaining("1024 MiB")
        .hasMessageContaining("-cp");
  }

  @Test
  void manifestClassPath_isFollowedRightAfterItsJar() throws Exception {
    jar("lib/deep.jar", "Class-Path: ../a.jar");
    jar("lib/two words.jar", "");
    Path classes = classes("classes");
    Path first =
        jar(
            "a.jar",
            "Class-Path: lib/deep.jar lib/none.jar lib/two%20words.jar\r\n  classes "
                + classes.toUri());
    Path last = jar("z.jar", "");
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(first, last))) {
      List<String> names = names(scan.unit());
      assertThat(names).hasSize(5);
      assertThat(names.subList(0, 3)).containsExactly("a.jar", "deep.jar", "two words.jar");
      assertThat(names.get(3)).endsWith("/classes/");
      assertThat(names.get(4)).isEqualTo("z.jar");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r\n", "\n", "\r"})
  void manifestClassPath_isThatOfTheMainSection(String end) throws Exception {
    Path other = jar("other.jar", "");
    jar("wrong.jar", "");
    String lines =
        String.join(
            end,
            "Manifest-Version: 1.0",
            "Class-Path: oth",
            " er.jar",
            "",
            "Name: app/",
            "Class-Path: wrong.jar",
            "",
            "");
    Path first = directory.resolve("first.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(first))) {
      jar.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
      jar.write(lines.getBytes(StandardCharsets.UTF_8));
    }
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(first))) {
      assertThat(names(scan.unit())).containsExactly("first.jar", other.getFileName().toString());
    }
  }

  @Test
  void engine_isLeftOutAndProgramsWithItAreNot() throws Exception {
    Map<String, byte[]> engine = new HashMap<>();
    engine.put("io/aktis/wire/value/ValueCodec.class", TEXT);
    engine.put("META-INF/versions/25/io/aktis/wire/value/Other.class", TEXT);
    engine.put("module-info.class", TEXT);
    engine.put("LICENSE", TEXT);
    Path engineJar = TestCode.jar(directory.resolve("aktis-wire.jar"), "", engine);
    engine.put("app/Main.class", TEXT);
    Path all = TestCode.jar(directory.resolve("app-all.jar"), "", engine);
    Path tests =
        TestCode.jar(directory.resolve("tests.jar"), "", Map.of("io/aktis/wire/T.class", TEXT));
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(engineJar, all, tests))) {
      assertThat(names(scan.unit())).containsExactly("app-all.jar", "tests.jar");
    }
  }

  @Test
  void thisProgram_hasItsTestsAndLibrariesAndNotTheEngine() throws Exception {
    try (CodeUnitScan scan = CodeUnitScan.ofThisProgram()) {
      List<String> names = names(scan.unit());
      assertThat(names).anyMatch(name -> name.startsWith("junit-jupiter-api"));
      assertThat(names).anyMatch(name -> name.endsWith("test-classes/"));
      assertThat(names).noneMatch(name -> name.endsWith("/classes/"));
      assertThat(names).noneMatch(name -> name.startsWith("aktis-"));
    }
  }

  @Test
  void loadersBelowTheSystemLoader_comeAfterItFromTheTop() throws Exception {
    URL upper = jar("upper.jar", "").toUri().toURL();
    URL lower = jar("lower.jar", "").toUri().toURL();
    ClassLoader system = ClassLoader.getSystemClassLoader();
    try (URLClassLoader above = new URLClassLoader(new URL[] {upper}, system);
        URLClassLoader below = new URLClassLoader(new URL[] {lower}, above);
        CodeUnitScan alone = CodeUnitScan.ofProgram(system);
        CodeUnitScan scan = CodeUnitScan.ofProgram(below)) {
      List<String> expected = new ArrayList<>(names(alone.unit()));
      expected.addAll(List.of("upper.jar", "lower.jar"));
      assertThat(names(scan.unit())).isEqualTo(expected);
    }
  }

  private static final class MemoryLoader extends ClassLoader implements InMemoryCode {
    private final Map<String, byte[]> files;

    MemoryLoader(Map<String, byte[]> files) {
      super(ClassLoader.getSystemClassLoader());
      this.files = files;
    }

    @Override
    public Map<String, byte[]> files() {
      return files;
    }
  }

  @Test
  void classesInMemory_arePackedLikeADirectory() throws Exception {
    Map<String, byte[]> files = Map.of("b.txt", TEXT, "a.txt", TEXT);
    try (CodeUnitScan one = CodeUnitScan.ofProgram(new MemoryLoader(files));
        CodeUnitScan two = CodeUnitScan.ofProgram(new MemoryLoader(new HashMap<>(files)))) {
      assertThat(one.unit()).isEqualTo(two.unit());
      CodeFile packed = one.unit().getFilesList().getLast();
      assertThat(packed.getName()).isEqualTo("memory");
      Path jar = Files.write(directory.resolve("m.jar"), bytes(one, packed));
      try (UnitClassLoader loader =
          new UnitClassLoader("m", List.of(jar), getClass().getClassLoader())) {
        assertThat(loader.getResourceAsStream("b.txt").readAllBytes()).isEqualTo(TEXT);
      }
    }
  }

  @Test
  void loaderOfAnUnknownKind_isPassedOver() throws Exception {
    ClassLoader unknown = new ClassLoader(ClassLoader.getSystemClassLoader()) {};
    URL jar = jar("a.jar", "").toUri().toURL();
    URL far = URI.create("http://127.0.0.1:1/far.jar").toURL();
    try (URLClassLoader below = new URLClassLoader(new URL[] {far, jar}, unknown);
        CodeUnitScan alone = CodeUnitScan.ofProgram(ClassLoader.getSystemClassLoader());
        CodeUnitScan scan = CodeUnitScan.ofProgram(below)) {
      List<String> expected = new ArrayList<>(names(alone.unit()));
      expected.add("a.jar");
      assertThat(names(scan.unit())).isEqualTo(expected);
    }
  }

  @Test
  void jar_changedAfterTheScan_isRefusedWhenItIsOpened() throws Exception {
    Path jar = jar("a.jar", "");
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(jar))) {
      CodeFile file = scan.unit().getFiles(0);
      Files.write(jar, TEXT);
      assertThatThrownBy(() -> scan.open(file))
          .isInstanceOf(CodeException.class)
          .hasMessageContaining(jar + " was changed or removed")
          .extracting(e -> ((CodeException) e).reason())
          .isEqualTo(CodeException.Reason.CHANGED);
      Files.delete(jar);
      assertThatThrownBy(() -> scan.open(file)).hasMessageContaining("changed or removed");
    }
  }

  @Test
  void jar_changedBetweenSessions_hasItsNewHash() throws Exception {
    Path jar = jar("a.jar", "");
    CodeUnit before = unitOf(jar);
    TestCode.jar(jar, "", Map.of("other.txt", TEXT));
    assertThat(unitOf(jar)).isNotEqualTo(before);
  }

  @Test
  void packedBytes_afterClose_cannotBeRead() throws Exception {
    CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(classes("classes")));
    InputStream in = scan.open(scan.unit().getFiles(0));
    scan.close();
    scan.close();
    assertThatThrownBy(in::read).isInstanceOf(IllegalStateException.class);
  }
}
