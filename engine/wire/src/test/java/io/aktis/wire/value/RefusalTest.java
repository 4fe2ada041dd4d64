package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What has no meaning elsewhere is refused at once, with the way to it. */
@SuppressWarnings({"BoxingComparator", "UnusedVariable"}) // what users write; what is refused
class RefusalTest {
  interface Make<T> extends Supplier<T>, Serializable {}

  private final ValueCodec codec = ValueCodec.of(RefusalTest.class.getClassLoader());

  record Holder(String name, Object held) {}

  static Stream<Object> meaningless() throws IOException {
    return Stream.of(
        new Thread(() -> {}),
        Thread.ofVirtual().unstarted(() -> {}),
        ThreadLocal.withInitial(() -> 1),
        Executors.newSingleThreadExecutor(runnable -> new Thread(runnable)),
        Executors.newVirtualThreadPerTaskExecutor(),
        new ReentrantLock(),
        new ReentrantReadWriteLock(),
        new ReentrantLock().newCondition(),
        new Semaphore(1),
        new CountDownLatch(1),
        new ByteArrayInputStream(new byte[1]),
        new ByteArrayOutputStream(),
        new OwnStream(),
        new Socket(),
        new ServerSocket(),
        new ProcessBuilder("x"),
        Runtime.getRuntime(),
        RefusalTest.class.getClassLoader(),
        List.of(1).stream(),
        List.of(1).iterator(),
        new CompletableFuture<>(),
        new WeakReference<>("x"),
        new WeakHashMap<>(),
        Arena.ofAuto(),
        FileSystems.getDefault(),
        new SplittableRandom(1),
        ScopedValue.newInstance(),
        Proxy.method());
  }

  private static final class Proxy {
    static Object method() {
      try {
        return Object.class.getMethod("toString");
      } catch (NoSuchMethodException e) {
        throw new AssertionError(e);
      }
    }
  }

  static class OwnStream extends InputStream {
    @Override
    public int read() {
      return -1;
    }
  }

  @ParameterizedTest(autoCloseArguments = false)
  @MethodSource("meaningless")
  void value_withoutMeaningElsewhere_isRefusedWithItsPath(Object value) {
    String name = value.getClass().getTypeName();
    ValueNotSerializableException alone = refusal(value);
    assertThat(alone.fieldPath()).isEqualTo(name);
    assertThat(alone.culprit()).isEqualTo(name);
    assertThat(alone).hasMessageContaining(alone.fieldPath());
    ValueNotSerializableException inside = refusal(new Holder("h", List.of(1, value)));
    assertThat(inside.fieldPath())
        .isEqualTo(
            "io.aktis.wire.value.RefusalTest$Holder ▸ field held"
                + " (java.util.ImmutableCollections$List12) ▸ [1] ("
                + name
                + ")");
    assertThatThrownBy(() -> codec.copy(value)).isInstanceOf(ValueNotSerializableException.class);
  }

  private ValueNotSerializableException refusal(Object value) {
    return catchThrowableOfType(ValueNotSerializableException.class, () -> codec.encode(value));
  }

  /** As in a program that submits a task from an object with a pool. */
  static class Service {
    private final ThreadPoolExecutor pool = (ThreadPoolExecutor) Executors.newFixedThreadPool(1);
    private int factor = 2;

    Make<Integer> task() {
      return () -> factor * 2;
    }

    Make<Integer> careful() {
      int copied = factor;
      return () -> copied * 2;
    }

    int compute() {
      return factor;
    }
  }

  @Test
  void lambda_capturingThisUnseen_isRefusedWithTheWholeWay() {
    Service service = new Service();
    ValueNotSerializableException refused = refusal(service.task());
    assertThat(refused.fieldPath())
        .isEqualTo(
            "lambda in io.aktis.wire.value.RefusalTest$Service.task"
                + " ▸ capturing this (io.aktis.wire.value.RefusalTest$Service)"
                + " ▸ field pool (java.util.concurrent.ThreadPoolExecutor)");
    assertThat(refused.advice()).contains("copy what it needs into a local variable");
    assertThat(Trips.byMessage(codec, service.careful()).get()).isEqualTo(4);
  }

  @Test
  void methodReference_boundToSuchAnObject_isRefused() {
    Service service = new Service();
    Make<Integer> compute = service::compute;
    assertThat(refusal(compute).fieldPath())
        .isEqualTo(
            "method reference io.aktis.wire.value.RefusalTest$Service::compute"
                + " ▸ bound to (io.aktis.wire.value.RefusalTest$Service)"
                + " ▸ field pool (java.util.concurrent.ThreadPoolExecutor)");
  }

  @Test
  void lambda_capturingAThread_isRefused() {
    Thread thread = new Thread(() -> {});
    String text = "x";
    Make<String> name = () -> text + thread.getName();
    assertThat(refusal(name).fieldPath())
        .isEqualTo(
            "lambda in io.aktis.wire.value.RefusalTest.lambda_capturingAThread_isRefused"
                + " ▸ capturing argument 1 (java.lang.Thread)");
  }

  @Test
  void lambda_notSerializable_isRefused() {
    Supplier<String> supplier = () -> "x";
    assertThat(refusal(supplier).fieldPath())
        .isEqualTo("lambda in io.aktis.wire.value.RefusalTest");
    assertThat(refusal(new Holder("h", supplier)).fieldPath())
        .endsWith("▸ field held (lambda in io.aktis.wire.value.RefusalTest)");
    assertThat(refusal(supplier).advice()).contains("Serializable");
    Make<Object> capturing = supplier::get;
    assertThat(refusal(capturing).fieldPath())
        .contains("bound to (lambda in io.aktis.wire.value.RefusalTest)");
  }

  @Test
  void paths_throughContainers_nameKeysIndexesAndFields() {
    Semaphore culprit = new Semaphore(1);
    Map<String, Object> byName = new LinkedHashMap<>();
    byName.put("good", 1);
    byName.put("bad", culprit);
    assertThat(refusal(byName).fieldPath())
        .isEqualTo("java.util.LinkedHashMap ▸ value of \"bad\" (java.util.concurrent.Semaphore)");
    assertThat(refusal(new Object[] {1, new Object[] {2, 3, culprit}}).fieldPath())
        .isEqualTo(
            "java.lang.Object[] ▸ [1] (java.lang.Object[])"
                + " ▸ [2] (java.util.concurrent.Semaphore)");
    assertThat(refusal(new ArrayList<>(List.of(Optional.of(culprit)))).fieldPath())
        .isEqualTo(
            "java.util.ArrayList ▸ [0] (java.util.Optional)"
                + " ▸ value (java.util.concurrent.Semaphore)");
    assertThat(refusal(new AtomicReference<>(culprit)).fieldPath())
        .isEqualTo(
            "java.util.concurrent.atomic.AtomicReference"
                + " ▸ value (java.util.concurrent.Semaphore)");
    assertThat(refusal(new HashMap<>(Map.of(culprit, 1))).fieldPath())
        .isEqualTo("java.util.HashMap ▸ key (java.util.concurrent.Semaphore)");
    assertThat(refusal(new IOException("x", new Failure(culprit))).fieldPath())
        .isEqualTo(
            "java.io.IOException ▸ cause (io.aktis.wire.value.RefusalTest$Failure)"
                + " ▸ field held (java.util.concurrent.Semaphore)");
  }

  static class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Object held;

    Failure(Object held) {
      this.held = held;
    }
  }

  @Test
  void comparator_notSerializable_isRefused() {
    TreeMap<String, Integer> map = new TreeMap<>((a, b) -> b.compareTo(a));
    map.put("a", 1);
    assertThat(refusal(map).fieldPath())
        .isEqualTo("java.util.TreeMap ▸ comparator (lambda in io.aktis.wire.value.RefusalTest)");
    map = new TreeMap<>(Comparator.comparing(String::length));
    assertThat(refusal(map).fieldPath()).startsWith("java.util.TreeMap");
  }

  static class WithTransientPool {
    private final transient ExecutorService pool = Executors.newSingleThreadExecutor();
    private final ReentrantLock lock = null;
    private String name = "n";
  }

  @Test
  void transientOrEmptyField_ofRefusedType_doesNotMatter() {
    WithTransientPool value = new WithTransientPool();
    assertThat(Trips.byMessage(codec, value).name).isEqualTo("n");
    value.pool.close();
  }

  record Replacement(Object held) implements Serializable {}

  static class Replacer implements Serializable {
    private static final long serialVersionUID = 1L;
    private final transient Object held = new Semaphore(1);

    private Object writeReplace() {
      return new Replacement(held);
    }
  }

  @Test
  void path_throughWriteReplace_namesIt() {
    assertThat(refusal(new Replacer()).fieldPath())
        .isEqualTo(
            "io.aktis.wire.value.RefusalTest$Replacer"
                + " ▸ writeReplace (io.aktis.wire.value.RefusalTest$Replacement)"
                + " ▸ field held (java.util.concurrent.Semaphore)");
  }

  static class Failing implements Serializable {
    private static final long serialVersionUID = 1L;

    private void writeObject(ObjectOutputStream out) throws IOException {
      throw new IOException("out of ink");
    }
  }

  @Test
  void writeObject_thatThrows_isReportedWithItsReason() {
    assertThat(refusal(new Failing()))
        .hasMessageContaining("RefusalTest$Failing")
        .hasMessageContaining("out of ink");
  }

  static class Link {
    private Link next;
  }

  @Test
  void chain_tooDeepForTheStack_isRefused() {
    Link first = new Link();
    Link last = first;
    for (int i = 0; i < 1_000_000; i++) {
      last.next = new Link();
      last = last.next;
    }
    assertThat(refusal(first))
        .hasMessageContaining("nested too deeply")
        .hasMessageContaining("list or an array");
    assertThat(Trips.byMessage(codec, new Holder("still works", 1)).name())
        .isEqualTo("still works");
  }

  @Test
  void longPath_leavesItsMiddleOut() {
    Object value = new Semaphore(1);
    for (int i = 0; i < 100; i++) {
      value = new Holder("h" + i, value);
    }
    assertThat(refusal(value).fieldPath())
        .contains(" ▸ … 84 steps … ▸ ")
        .endsWith("▸ field held (java.util.concurrent.Semaphore)")
        .hasSizeLessThan(1500);
  }

  @Test
  void closedSegment_isRefused() {
    MemorySegment segment;
    try (Arena arena = Arena.ofShared()) {
      segment = arena.allocate(4096);
    }
    assertThat(refusal(segment)).hasMessageContaining("closed");
    assertThat(refusal(new Holder("h", segment)).fieldPath()).contains("field held");
  }

  @Test
  void segment_ofAnotherThread_isRefused() throws InterruptedException {
    AtomicReference<MemorySegment> segment = new AtomicReference<>();
    CountDownLatch made = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread owner =
        Thread.ofVirtual()
            .start(() -> {
              try (Arena arena = Arena.ofConfined()) {
                segment.set(arena.allocate(4096));
                made.countDown();
                done.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    made.await();
    assertThat(refusal(segment.get())).hasMessageContaining("another thread");
    done.countDown();
    owner.join();
  }

  @Test
  void refusal_ofAClassThatExtendsARefusedOne_namesTheClass() {
    Timer timer = new Timer(true) {};
    assertThat(refusal(timer).culprit()).startsWith("io.aktis.wire.value.RefusalTest$");
    timer.cancel();
    Function<String, String> function = new Fun();
    assertThat(Trips.byMessage(codec, function).apply("x")).isEqualTo("x!");
  }

  static class Fun implements Function<String, String> {
    @Override
    public String apply(String text) {
      return text + "!";
    }
  }
}
