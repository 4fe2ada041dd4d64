package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/** Arrow belongs to the program: the codec uses the one that the program's loader has. */
class TableLoaderTest {
  /** Loads Arrow and the samples for itself, and shares the engine: as the loader of a unit. */
  private static final class ProgramLoader extends URLClassLoader {
    ProgramLoader(Predicate<String> jar) {
      super(urls(jar), ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      boolean shared = name.startsWith("io.aktis.") && !name.contains("SampleTables");
      return shared
          ? TableLoaderTest.class.getClassLoader().loadClass(name)
          : super.loadClass(name, resolve);
    }

    private static URL[] urls(Predicate<String> jar) {
      return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .filter(jar)
          .map(ProgramLoader::url)
          .toArray(URL[]::new);
    }

    private static URL url(String path) {
      try {
        return Path.of(path).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new AssertionError(path, e);
      }
    }
  }

  /** What a program does, with classes of its own loader only. */
  private static Object makeTable(ClassLoader loader) throws ReflectiveOperationException {
    Class<?> allocator = loader.loadClass("org.apache.arrow.memory.RootAllocator");
    Class<?> samples = loader.loadClass(SampleTables.class.getName());
    var make =
        samples.getDeclaredMethod(
            "small", loader.loadClass("org.apache.arrow.memory.BufferAllocator"));
    make.setAccessible(true);
    return make.invoke(null, allocator.getConstructor().newInstance());
  }

  private static String text(Object table) throws ReflectiveOperationException {
    return (String) table.getClass().getMethod("contentToTSVString").invoke(table);
  }

  @Test
  void table_ofAnArrowThatTheEngineDoesNotHave_isDecodedToThatArrow()
      throws IOException, ReflectiveOperationException {
    try (ProgramLoader loader = new ProgramLoader(_ -> true);
        ValueCodec codec = ValueCodec.of(loader)) {
      Object table = makeTable(loader);
      assertThat(table.getClass()).isNotSameAs(VectorSchemaRoot.class);
      for (Object back :
          List.of(
              Trips.byStore(codec, table),
              Trips.byMessage(codec, table),
              codec.copy(table),
              Trips.byStore(codec, List.of(table)).getFirst())) {
        assertThat(back.getClass()).isSameAs(table.getClass());
        assertThat(text(back)).isEqualTo(text(table)).contains("3000\ttext 3");
      }
    }
  }

  @Test
  void table_sentFromOneArrowToAnother_isThatOfTheReader()
      throws IOException, ReflectiveOperationException {
    try (ProgramLoader loader = new ProgramLoader(_ -> true);
        ValueCodec sender = ValueCodec.of(loader);
        ValueCodec reader = ValueCodec.of(TableLoaderTest.class.getClassLoader());
        BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot expected = SampleTables.small(allocator)) {
      byte[] bytes = sender.encode(makeTable(loader)).toBytes();
      SampleTables.assertSameContent(
          (VectorSchemaRoot) reader.decode(Encoded.open(bytes)), expected);
    }
  }

  @Test
  void table_whereArrowIsMissing_saysWhatToAdd() throws IOException {
    try (ProgramLoader loader = new ProgramLoader(jar -> !jar.contains("arrow"));
        ValueCodec sender = ValueCodec.of(TableLoaderTest.class.getClassLoader());
        ValueCodec reader = ValueCodec.of(loader);
        BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.small(allocator)) {
      Encoded alone = Encoded.open(sender.encode(table).toBytes());
      Encoded inside = Encoded.open(sender.encode(List.of(table)).toBytes());
      assertThatThrownBy(() -> reader.decode(alone))
          .isInstanceOf(ValueDecodeException.class)
          .hasMessageContaining("org.apache.arrow:arrow-vector");
      assertThatThrownBy(() -> decodeAsAWorker(reader, inside, loader))
          .isInstanceOf(ValueDecodeException.class)
          .hasMessageContaining("org.apache.arrow.vector.VectorSchemaRoot");
      assertThat(reader.decodeView(alone).byteSize()).isPositive();
    }
  }

  /** The loader of the program is the thread's as well, where Fory looks too. */
  private static Object decodeAsAWorker(ValueCodec codec, Encoded encoded, ClassLoader loader) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return codec.decode(encoded);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void arrow_thatCannotTouchMemory_saysWhichOptionsToAdd() throws IOException {
    try (ProgramLoader loader = new ProgramLoader(jar -> !jar.contains("arrow-memory-unsafe"));
        ValueCodec sender = ValueCodec.of(TableLoaderTest.class.getClassLoader());
        ValueCodec reader = ValueCodec.of(loader);
        BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot table = SampleTables.small(allocator)) {
      Encoded encoded = Encoded.open(sender.encode(table).toBytes());
      assertThatThrownBy(() -> reader.decode(encoded))
          .isInstanceOf(ValueDecodeException.class)
          .hasMessageContaining("--add-opens=java.base/java.nio=ALL-UNNAMED")
          .hasMessageContaining("arrow-memory-unsafe");
    }
  }

  @Test
  void loaderOfAProgram_thatIsDone_isUnloaded() throws IOException, ReflectiveOperationException {
    WeakReference<ClassLoader> loader = useOnce();
    long start = System.nanoTime();
    while (loader.get() != null) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(60));
      ForyCaches.clear();
      System.gc();
    }
  }

  private static WeakReference<ClassLoader> useOnce()
      throws IOException, ReflectiveOperationException {
    try (ProgramLoader loader = new ProgramLoader(_ -> true);
        ValueCodec codec = ValueCodec.of(loader)) {
      Object table = makeTable(loader);
      assertThat(Trips.byStore(codec, List.of(table))).hasSize(1);
      assertThat(Trips.byStore(codec, table)).isNotNull();
      return new WeakReference<>(loader);
    }
  }
}
