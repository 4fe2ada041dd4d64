package io.aktis.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.function.TaskFunction0;
import io.aktis.wire.value.Encoded;
import io.aktis.wire.value.ValueCodec;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** Code of a unit sees the JDK, the engine's interface and its own files, and nothing else. */
class UnitClassLoaderTest {
  private static final ClassLoader ENGINE = UnitClassLoaderTest.class.getClassLoader();

  @TempDir Path directory;

  private static UnitClassLoader loader(Path... files) {
    return new UnitClassLoader("test", List.of(files), ENGINE);
  }

  private Path jarOf(String name, String className, String source) throws IOException {
    return TestCode.jarOf(directory.resolve(name), Map.of(className, source));
  }

  private Path build(String name, int build) throws IOException {
    return jarOf(
        name,
        "app.Main",
        """
        package app;
        public class Main implements io.aktis.function.TaskFunction0<Integer> {
          public record Build(int number) {}
          public Integer apply() { return new Build(%d).number(); }
        }
        """
            .formatted(build));
  }

  private static Object call(ClassLoader loader, String className) throws Exception {
    Object made = loader.loadClass(className).getConstructor().newInstance();
    return ((TaskFunction0<?>) made).apply();
  }

  @Test
  void twoBuildsOfAClass_eachUnitSeesItsOwn() throws Exception {
    try (UnitClassLoader one = loader(build("one.jar", 1));
        UnitClassLoader two = loader(build("two.jar", 2))) {
      assertThat(call(one, "app.Main")).isEqualTo(1);
      assertThat(call(two, "app.Main")).isEqualTo(2);
      Class<?> type = one.loadClass("app.Main");
      assertThat(type.getClassLoader()).isSameAs(one);
      assertThat(type).isSameAs(one.loadClass("app.Main")).isNotSameAs(two.loadClass("app.Main"));
      assertThat(type.getProtectionDomain().getCodeSource().getLocation())
          .isEqualTo(directory.resolve("one.jar").toUri().toURL());
    }
  }

  @Test
  void sameClassInTwoJars_theFirstWins() throws Exception {
    try (UnitClassLoader loader = loader(build("one.jar", 1), build("two.jar", 2))) {
      assertThat(call(loader, "app.Main")).isEqualTo(1);
    }
  }

  @Test
  void classesOfUnit_winOverThoseOfTheEngineExceptItsInterface() throws Exception {
    Map<String, byte[]> files = new HashMap<>();
    for (Class<?> type : List.of(Aktis.class, ValueCodec.class, Logger.class)) {
      String name = type.getName().replace('.', '/') + ".class";
      files.put(name, ENGINE.getResourceAsStream(name).readAllBytes());
    }
    Path all = TestCode.jar(directory.resolve("all.jar"), "", files);
    try (UnitClassLoader loader = loader(all)) {
      assertThat(loader.loadClass(Aktis.class.getName())).isSameAs(Aktis.class);
      assertThat(loader.loadClass(ValueCodec.class.getName())).isSameAs(ValueCodec.class);
      assertThat(loader.loadClass("org.slf4j.Logger").getClassLoader()).isSameAs(loader);
      assertThat(loader.loadClass("java.util.List")).isSameAs(List.class);
      assertThat(loader.loadClass("java.sql.Driver")).isSameAs(Driver.class);
    }
  }

  @Test
  void librariesOfTheEngine_areNotSeen() throws Exception {
    try (UnitClassLoader loader = loader(build("one.jar", 1))) {
      for (String name : List.of("com.google.protobuf.Message", "org.slf4j.Logger")) {
        assertThat(ENGINE.loadClass(name)).isNotNull();
        assertThatThrownBy(() -> loader.loadClass(name))
            .isInstanceOf(ClassNotFoundException.class)
            .hasMessageContaining(name + " is not in the code unit 'test' of 1 files")
            .hasMessageContaining("class path of the program");
      }
      assertThat(loader.getResource("org/slf4j/Logger.class")).isNull();
    }
  }

  @Test
  void missingClass_isNamedWithItsUnit() throws Exception {
    Path lib = jarOf("lib.jar", "lib.Part", "package lib; public class Part {}");
    Path classes =
        TestCode.compile(
            directory.resolve("c"),
            Map.of(
                "app.Use",
                """
                package app;
                public class Use implements io.aktis.function.TaskFunction0<Object> {
                  public Object apply() { return new lib.Part(); }
                }
                """),
            lib);
    Path app = TestCode.jar(directory.resolve("app.jar"), "", TestCode.filesOf(classes));
    try (UnitClassLoader without = loader(app);
        UnitClassLoader with = loader(app, lib)) {
      assertThatThrownBy(() -> call(without, "app.Use"))
          .isInstanceOf(NoClassDefFoundError.class)
          .cause()
          .hasMessageContaining("lib.Part is not in the code unit 'test'");
      assertThat(call(with, "app.Use").getClass().getName()).isEqualTo("lib.Part");
    }
  }

  @Test
  void classesInPackagesOfTheEngine_thatItLacks_comeFromTheUnit() throws Exception {
    Path tests = jarOf("t.jar", "io.aktis.wire.T", "package io.aktis.wire; public class T {}");
    try (UnitClassLoader loader = loader(tests)) {
      assertThat(loader.loadClass("io.aktis.wire.T").getClassLoader()).isSameAs(loader);
    }
  }

  @Test
  void modulesOfTheJdk_thatTheSystemLoaderHas_areSeen() throws Exception {
    try (UnitClassLoader loader = loader()) {
      assertThat(loader.loadClass("com.sun.source.tree.Tree").getModule().getName())
          .isEqualTo("jdk.compiler");
    }
  }

  @Test
  void jarThatIsGoneOrBroken_isNamed() throws Exception {
    Path gone = directory.resolve("gone.jar");
    try (UnitClassLoader loader = loader(gone)) {
      assertThatThrownBy(() -> loader.loadClass("app.Main"))
          .isInstanceOf(ClassNotFoundException.class)
          .cause()
          .hasMessageContaining("the jar " + gone + " of the code unit cannot be opened");
    }
    Path broken = Files.writeString(directory.resolve("broken.jar"), "text");
    try (UnitClassLoader loader = loader(broken)) {
      assertThatThrownBy(() -> loader.getResources("x")).hasMessageContaining(broken.toString());
    }
  }

  @Test
  void resources_comeFromTheUnitInOrderAndOfTheEngineOnlyItsOwn() throws Exception {
    Path a = TestCode.jar(directory.resolve("a.jar"), "", Map.of("x y.txt", new byte[] {1}));
    Path b =
        TestCode.jar(
            directory.resolve("b.jar"),
            "",
            Map.of(
                "x y.txt",
                new byte[] {2},
                "META-INF/services/io.aktis.spi.EngineProvider",
                "app.Provider".getBytes(StandardCharsets.UTF_8)));
    try (UnitClassLoader loader = loader(a, b)) {
      List<URL> found = Collections.list(loader.getResources("x y.txt"));
      assertThat(found).hasSize(2);
      assertThat(found.get(0).openStream().readAllBytes()).containsExactly(1);
      assertThat(found.get(1).openStream().readAllBytes()).containsExactly(2);
      assertThat(loader.getResource("x y.txt")).isEqualTo(found.getFirst());
      assertThat(loader.getResourceAsStream("x y.txt").readAllBytes()).containsExactly(1);
      assertThat(loader.getResourceAsStream("none")).isNull();
      String providers = "META-INF/services/io.aktis.spi.EngineProvider";
      assertThat(Collections.list(loader.getResources(providers)))
          .hasSize(Collections.list(ENGINE.getResources(providers)).size() + 1);
      assertThat(loader.getResource("io/aktis/Aktis.class"))
          .isEqualTo(ENGINE.getResource("io/aktis/Aktis.class"));
    }
  }

  @Test
  void multiReleaseJar_givesTheVersionOfThisJava() throws Exception {
    Map<String, byte[]> files = new HashMap<>();
    files.put("x.txt", new byte[] {1});
    files.put("META-INF/versions/17/x.txt", new byte[] {17});
    files.put("META-INF/versions/9999/x.txt", new byte[] {99});
    files.putAll(TestCode.filesOf(classesOf(1)));
    TestCode.filesOf(classesOf(17))
        .forEach((name, bytes) -> files.put("META-INF/versions/17/" + name, bytes));
    Path jar = TestCode.jar(directory.resolve("m.jar"), "Multi-Release: true", files);
    try (UnitClassLoader loader = loader(jar)) {
      assertThat(call(loader, "app.Main")).isEqualTo(17);
      assertThat(loader.getResource("x.txt").openStream().readAllBytes()).containsExactly(17);
      assertThat(loader.getResourceAsStream("x.txt").readAllBytes()).containsExactly(17);
    }
    Path plain = TestCode.jar(directory.resolve("p.jar"), "", files);
    try (UnitClassLoader loader = loader(plain)) {
      assertThat(call(loader, "app.Main")).isEqualTo(1);
    }
  }

  private Path classesOf(int build) throws IOException {
    build("build.jar", build);
    Path unpacked = Files.createTempDirectory(directory, "unpacked");
    try (var jar = new JarFile(directory.resolve("build.jar").toFile())) {
      for (var entry : Collections.list(jar.entries())) {
        Path file = unpacked.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.write(file, jar.getInputStream(entry).readAllBytes());
      }
    }
    return unpacked;
  }

  /** Java reads no manifest in a directory, so the packed one must not act either. */
  @Test
  void packedDirectory_withAManifest_isNoMultiReleaseJar() throws Exception {
    Path root = directory.resolve("root");
    Files.createDirectories(root.resolve("META-INF/versions/17"));
    Files.write(root.resolve("x.txt"), new byte[] {1});
    Files.write(root.resolve("META-INF/versions/17/x.txt"), new byte[] {17});
    Files.writeString(
        root.resolve("META-INF/MANIFEST.MF"), "Manifest-Version: 1.0\nMulti-Release: true\n");
    Path jar = directory.resolve("packed.jar");
    try (CodeUnitScan scan = CodeUnitScan.ofClassPath(List.of(root));
        var in = scan.open(scan.unit().getFiles(0))) {
      Files.copy(in, jar);
    }
    try (UnitClassLoader loader = loader(jar)) {
      assertThat(loader.getResourceAsStream("x.txt").readAllBytes()).containsExactly(1);
      assertThat(loader.getResource("META-INF/MANIFEST.MF")).isNotNull();
    }
  }

  @Test
  void manifestClassPath_isNotFollowedOnTheNode() throws Exception {
    Path live = build("live.jar", 2);
    Path jar =
        TestCode.jar(directory.resolve("a.jar"), "Class-Path: live.jar", Map.of("x", new byte[1]));
    assertThat(live).exists();
    try (UnitClassLoader loader = loader(jar)) {
      assertThatThrownBy(() -> loader.loadClass("app.Main"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  void packages_haveWhatTheManifestSaysAndSealingHolds() throws Exception {
    Map<String, byte[]> main = TestCode.filesOf(classesOf(1));
    Path sealed =
        TestCode.jar(directory.resolve("s.jar"), "Sealed: true\r\nImplementation-Version: 7", main);
    Path other = jarOf("o.jar", "app.Other", "package app; public class Other {}");
    try (UnitClassLoader loader = loader(sealed, other)) {
      Package app = loader.loadClass("app.Main").getPackage();
      assertThat(app.getImplementationVersion()).isEqualTo("7");
      assertThat(app.isSealed()).isTrue();
      assertThatThrownBy(() -> loader.loadClass("app.Other"))
          .isInstanceOf(SecurityException.class)
          .hasMessageContaining("the package app is sealed");
    }
    try (UnitClassLoader loader = loader(sealed, other)) {
      assertThat(loader.loadClass("app.Other")).isNotNull();
      assertThatThrownBy(() -> loader.loadClass("app.Main")).isInstanceOf(SecurityException.class);
    }
  }

  @Test
  void signedJar_keepsItsSignersAndATamperedOneIsRefused() throws Exception {
    Path jar = build("signed.jar", 1);
    sign(jar);
    try (UnitClassLoader loader = loader(jar)) {
      assertThat(call(loader, "app.Main")).isEqualTo(1);
      Class<?> type = loader.loadClass("app.Main");
      assertThat(type.getProtectionDomain().getCodeSource().getCodeSigners()).hasSize(1);
    }
    Map<String, byte[]> files = new LinkedHashMap<>();
    try (var signed = new JarFile(jar.toFile(), false)) {
      for (var entry : Collections.list(signed.entries())) {
        files.put(entry.getName(), signed.getInputStream(entry).readAllBytes());
      }
    }
    files.putAll(TestCode.filesOf(classesOf(2)));
    Path tampered = TestCode.jar(directory.resolve("tampered.jar"), "", files);
    try (UnitClassLoader loader = loader(tampered)) {
      assertThatThrownBy(() -> loader.loadClass("app.Main"))
          .isInstanceOf(SecurityException.class)
          .hasMessageContaining("app/Main.class");
    }
  }

  private void sign(Path jar) throws Exception {
    String keys = directory.resolve("keys").toString();
    runTool(
        "keytool -genkeypair -alias k -keyalg EC -dname CN=t -storepass secret -keystore", keys);
    runTool("jarsigner -storepass secret -keystore", keys, jar.toString(), "k");
  }

  private void runTool(String words, String... more) throws Exception {
    List<String> command = new ArrayList<>(List.of(words.split(" ")));
    command.set(0, Path.of(System.getProperty("java.home"), "bin", command.getFirst()).toString());
    command.addAll(List.of(more));
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(output)).isZero();
  }

  @Test
  void class_loadedByManyThreadsAtOnce_isOne() throws Exception {
    try (UnitClassLoader loader = loader(build("one.jar", 1));
        var threads = Executors.newFixedThreadPool(8)) {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Class<?>>> loaded = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        loaded.add(
            threads.submit(() -> {
              start.await();
              return loader.loadClass("app.Main");
            }));
      }
      start.countDown();
      for (Future<Class<?>> each : loaded) {
        assertThat(each.get()).isSameAs(loader.loadClass("app.Main"));
      }
      assertThat(loader.isRegisteredAsParallelCapable()).isTrue();
    }
  }

  @Test
  void closedLoader_saysSo() throws Exception {
    UnitClassLoader loader = loader(build("one.jar", 1));
    Class<?> loaded = loader.loadClass("app.Main");
    loader.close();
    loader.close();
    assertThat(loader.loadClass("app.Main")).isSameAs(loaded);
    assertThatThrownBy(() -> loader.loadClass("app.Main$Build"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("the code unit 'test' of 1 files is closed");
    assertThat(loader.getResource("app/Main.class")).isNull();
  }

  @Test
  void units_thatAreUsedAndDropped_areUnloaded() throws Exception {
    Path jar =
        jarOf(
            "job.jar",
            "app.Job",
            """
            package app;
            import io.aktis.function.*;
            public class Job implements TaskFunction0<Object> {
              public record Pair(String left, java.util.List<Integer> right) {}
              public static class Bean { public Pair pair = new Pair("a", new java.util.ArrayList<>()); }
              public Object apply() {
                Bean bean = new Bean();
                return (TaskFunction0<Object>) () -> bean.pair;
              }
            }
            """);
    List<WeakReference<ClassLoader>> units = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      units.add(useOnce(jar));
    }
    TestCode.await(
        "all loaders are unloaded",
        () -> {
          ValueCodec.of(ENGINE).close(); // Fory may have looked at a class after the close
          System.gc();
          return units.stream().allMatch(unit -> unit.get() == null);
        });
  }

  private static WeakReference<ClassLoader> useOnce(Path jar) throws Exception {
    try (UnitClassLoader loader = loader(jar);
        ValueCodec codec = ValueCodec.of(loader)) {
      Object function = call(loader, "app.Job");
      byte[] bytes = codec.encode(function).toBytes();
      var decoded = (TaskFunction0<?>) codec.decode(Encoded.open(bytes));
      Object pair = codec.decode(Encoded.open(codec.encode(decoded.apply()).toBytes()));
      assertThat(pair.getClass().getClassLoader()).isSameAs(loader);
      codec.isImmutable(pair);
      codec.copy(pair);
      return new WeakReference<>(loader);
    }
  }
}
