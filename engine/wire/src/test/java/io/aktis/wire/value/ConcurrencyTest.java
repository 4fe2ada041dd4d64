package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** One codec serves all threads of a job, and lets its classes go when it is closed. */
class ConcurrencyTest {
  record Order(long id, String customer, Map<String, Integer> items, Order previous) {}

  private final ValueCodec codec = ValueCodec.of(ConcurrencyTest.class.getClassLoader());

  private static Order order(int i) {
    Order previous =
        i % 2 == 0 ? null : new Order(i - 1, "p" + i, new HashMap<>(Map.of("y", i)), null);
    return new Order(i, "c" + i, new HashMap<>(Map.of("x", i)), previous);
  }

  private void tripMany(int from, int count) {
    for (int i = from; i < from + count; i++) {
      Order order = order(i);
      assertThat(Trips.byMessage(codec, order)).isEqualTo(order);
      assertThat(codec.copy(order)).isEqualTo(order);
    }
  }

  private void runAll(ExecutorService executor, int tasks, int each) throws Exception {
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int t = 0; t < tasks; t++) {
      int from = t * each;
      work.add(() -> {
        tripMany(from, each);
        return true;
      });
    }
    for (Future<Boolean> done : executor.invokeAll(work)) {
      assertThat(done.get()).isTrue();
    }
  }

  @Test
  void platformThreads_atOnce_eachGetTheirValues() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      runAll(threads, 8, 500);
    }
  }

  @Test
  void virtualThreads_byTheThousand_eachGetTheirValues() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      runAll(threads, 2000, 3);
    }
  }

  @SuppressWarnings("UnusedMethod") // called by the codec
  static class Nesting {
    private static ValueCodec used;
    private String text = "";
    private transient Object nested;

    private Object writeReplace() {
      return new Form(Trips.byMessage(used, order(1)).customer());
    }

    private record Form(String text) {
      private Object readResolve() {
        Nesting made = new Nesting();
        made.text = text;
        made.nested = Trips.byMessage(used, order(2));
        return made;
      }
    }
  }

  @Test
  void classes_thatCallTheCodecThemselves_work() {
    Nesting.used = codec;
    Nesting back = Trips.byMessage(codec, new Nesting());
    assertThat(back.text).isEqualTo("c1");
    assertThat(back.nested).isEqualTo(order(2));
  }

  @Test
  void closedCodec_afterwards_refusesToWork() {
    ValueCodec closed = ValueCodec.of(ConcurrencyTest.class.getClassLoader());
    assertThat(Trips.byMessage(closed, order(1))).isEqualTo(order(1));
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.encode(order(1))).isInstanceOf(IllegalStateException.class);
    assertThat(closed.isImmutable("still")).isTrue();
  }

  /** Loads the classes of a job itself instead of leaving them to its parent. */
  private static final class JobLoader extends URLClassLoader {
    JobLoader() {
      super(new URL[0], ConcurrencyTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      String job = Job.class.getName();
      if (!name.equals(job) && !name.startsWith(job + "$")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void twoJobs_withClassesOfTheSameName_keepThemApart() throws Exception {
    try (JobLoader one = new JobLoader();
        JobLoader two = new JobLoader();
        ValueCodec codecOne = ValueCodec.of(one);
        ValueCodec codecTwo = ValueCodec.of(two)) {
      Object job = one.loadClass(Job.class.getName()).getConstructor().newInstance();
      byte[] bytes = codecOne.encode(job).toBytes();
      assertThat(codecOne.decode(Encoded.open(bytes)).getClass().getClassLoader()).isSameAs(one);
      assertThat(codecTwo.decode(Encoded.open(bytes)).getClass().getClassLoader()).isSameAs(two);
    }
  }

  @Test
  void classesOfAJob_afterItsCodecIsClosed_areUnloaded() throws Exception {
    WeakReference<ClassLoader> loader = runJob();
    for (int i = 0; i < 50 && loader.get() != null; i++) {
      // Fory looks at classes in the background, and may remember one after the close.
      ForyCaches.clear();
      System.gc();
      byte[][] pressure = new byte[64][];
      for (int k = 0; k < pressure.length; k++) {
        pressure[k] = new byte[1 << 20];
      }
    }
    assertThat(loader.get()).isNull();
  }

  private static WeakReference<ClassLoader> runJob() throws Exception {
    JobLoader loader = new JobLoader();
    ValueCodec codec = ValueCodec.of(loader);
    Class<?> type = loader.loadClass(Job.class.getName());
    Class<?> part = loader.loadClass(Job.class.getName() + "$Part");
    Object job = type.getConstructor().newInstance();
    Object value = part.getConstructor(type, Object.class).newInstance(job, List.of(1));
    assertThat(codec.isImmutable(value)).isFalse();
    codec.decode(Encoded.open(codec.encode(value).toBytes()));
    codec.copy(value);
    codec.explainSize(value);
    codec.close();
    return new WeakReference<>(loader);
  }
}
