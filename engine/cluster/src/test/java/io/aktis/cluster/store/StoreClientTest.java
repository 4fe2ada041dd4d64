package io.aktis.cluster.store;

import static io.aktis.cluster.store.Daemon.MIB;
import static io.aktis.cluster.store.Daemon.await;
import static io.aktis.cluster.store.Daemon.check;
import static io.aktis.cluster.store.Daemon.id;
import static io.aktis.cluster.store.Daemon.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aktis.ObjectStoreFullException;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.runtime.port.StorePort;
import io.aktis.store.ObjectInfo;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store used through its service, by processes of the machine and others. */
final class StoreClientTest {
  private static final long CAPACITY = 64L * MIB;

  private Path directory;
  private Daemon daemon;

  @BeforeEach
  void start() throws IOException {
    directory = Daemon.directory();
    daemon = Daemon.start(1, directory, CAPACITY, 512L * MIB);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    daemon.close();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    Files.delete(directory);
  }

  @Test
  void readers_ofAnObject_areNamedUntilTheyLetGo() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      put(client.port(), 1, MIB);
      StorePort.Reading reading = client.port().pin(id(1), daemon.location());

      assertThat(daemon.service.readers()).isEqualTo(Map.of(id(1), Map.of("a test", 1)));

      reading.close();
      await(() -> daemon.service.readers().isEmpty(), daemon.service::readers);
      client.port().pin(id(1), daemon.location());
    }
    await(() -> daemon.service.readers().isEmpty(), daemon.service::readers);
  }

  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.startVirtualThread(task);
    return task;
  }

  private void awaitNothingHeld() {
    await(
        () ->
            daemon.store.stats().pinnedObjects() == 0
                && daemon.store.stats().creatingObjects() == 0,
        daemon.store::objects);
  }

  @Test
  void object_sealedByOneClient_isReadByAnother() throws Exception {
    try (Daemon.Client one = daemon.client();
        Daemon.Client two = daemon.client()) {
      put(one.port(), 1, 10_000_001);
      put(one.port(), 2, 0);
      try (StorePort.Reading reading = two.port().pin(id(1), daemon.location())) {
        assertThat(reading.segment().byteSize()).isEqualTo(10_000_001);
        assertThat(reading.segment().isReadOnly()).isTrue();
        check(reading.segment(), 1);
        assertThat(daemon.store.stats().pinnedObjects()).isEqualTo(1);
      }
      MemorySegment empty = two.port().view(id(2), daemon.location());
      assertThat(empty.byteSize()).isZero();
      assertThat(two.port().pin(id(3), daemon.location())).isNull();
      assertThat(two.port().view(id(3), daemon.location())).isNull();
    }
    awaitNothingHeld();
  }

  @Test
  void creation_notSealed_isDroppedByItsClose() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      try (StorePort.Writing writing = client.port().create(id(1), MIB)) {
        assertThat(writing.segment().byteSize()).isEqualTo(MIB);
      }
      awaitNothingHeld();
      assertThat(daemon.store.stats().usedBytes()).isZero();
      assertThat(client.port().pin(id(1), daemon.location())).isNull();
    }
  }

  @Test
  void twoCreations_ofOneName_doNotDisturbEachOther() throws Exception {
    try (Daemon.Client client = daemon.client();
        StorePort.Writing one = client.port().create(id(1), 1000);
        StorePort.Writing two = client.port().create(id(1), 1000)) {
      Daemon.fill(two.segment(), 1);
      two.seal();
      Daemon.fill(one.segment(), 2);
      one.seal();
      try (StorePort.Reading reading = client.port().pin(id(1), daemon.location())) {
        check(reading.segment(), 1);
      }
    }
  }

  @Test
  void view_isReleasedByTheCollector_andOutlivesTheClient() throws Exception {
    MemorySegment view;
    try (Daemon.Client client = daemon.client()) {
      put(client.port(), 1, MIB);
      view = client.port().view(id(1), daemon.location());
      check(view, 1);
      assertThat(daemon.store.stats().pinnedObjects()).isEqualTo(1);
      view = null;
      await(
          () -> {
            System.gc();
            return daemon.store.stats().pinnedObjects() == 0;
          },
          daemon.store::objects);
      view = client.port().view(id(1), daemon.location());
    }
    check(view, 1); // the bytes are mapped until nobody can reach them
  }

  @Test
  void reading_kept_holdsOnceUntilTheCollectorComes() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      put(client.port(), 1, MIB);
      MemorySegment kept;
      try (StorePort.Reading reading = client.port().pin(id(1), daemon.location())) {
        kept = reading.keep();
        assertThatThrownBy(reading::keep).isInstanceOf(IllegalStateException.class);
      }
      assertThat(daemon.store.stats().pinnedObjects()).isEqualTo(1);
      check(kept, 1);
      kept = null;
      await(
          () -> {
            System.gc();
            return daemon.store.stats().pinnedObjects() == 0;
          },
          daemon.store::objects);
    }
  }

  @Test
  void tryCreate_withoutRoom_isNull_andCreateWaits() throws Exception {
    try (Daemon.Client client = daemon.client();
        Daemon.Client other = daemon.client()) {
      StorePort.Writing all = other.port().create(id(1), 60 * MIB);
      assertThat(client.port().tryCreate(id(2), 10 * MIB)).isNull();
      assertThat(client.port().tryCreate(id(2), 5 * MIB)).isNull();
      FutureTask<Boolean> waiting =
          start(() -> {
            put(client.port(), 2, 10 * MIB);
            return true;
          });
      await(() -> daemon.store.stats().waitingCreates() == 1, daemon.store::stats);
      all.close();
      assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void create_interruptedWhileItWaits_leavesNothingBehind() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      StorePort.Writing all = client.port().create(id(1), 64 * MIB);
      FutureTask<StorePort.Writing> waiting =
          new FutureTask<>(() -> client.port().create(id(2), 10 * MIB));
      Thread thread = Thread.startVirtualThread(waiting);
      await(() -> daemon.store.stats().waitingCreates() == 1, daemon.store::stats);
      thread.interrupt();
      ExecutionException e =
          catchThrowableOfType(ExecutionException.class, () -> waiting.get(30, TimeUnit.SECONDS));
      assertThat(e).hasCauseInstanceOf(InterruptedException.class);
      all.close();
      awaitNothingHeld();
    }
  }

  @Test
  void object_largerThanEverything_isRefusedWithFigures() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      ObjectStoreFullException e =
          catchThrowableOfType(
              ObjectStoreFullException.class, () -> client.port().create(id(1), 600L * MIB));
      assertThat(e.isRetryable()).isFalse();
      assertThat(e).hasMessageContaining("600.0 MiB requested").hasMessageContaining("quota");
      assertThatThrownBy(() -> client.port().create(id(1), -1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void object_largerThanTheMemory_isMappedFromItsFile() throws Exception {
    try (Daemon.Client client = daemon.client();
        Daemon.Client other = daemon.client()) {
      put(client.port(), 1, 80L * MIB + 5);
      assertThat(daemon.store.stats().overflowObjects()).isEqualTo(1);
      try (StorePort.Reading reading = other.port().pin(id(1), daemon.location())) {
        check(reading.segment(), 1);
        assertThat(daemon.service.deleteObject(id(1))).isTrue();
        check(reading.segment(), 1);
      }
      await(() -> daemon.store.stats().overflowObjects() == 0, daemon.store::stats);
    }
  }

  @Test
  void objects_moreThanTheMemory_areSpilledAndComeBack() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      for (int i = 0; i < 20; i++) {
        put(client.port(), i, 9 * MIB);
      }
      for (int i = 0; i < 20; i++) {
        try (StorePort.Reading reading = client.port().pin(id(i), daemon.location())) {
          check(reading.segment(), i);
        }
      }
      assertThat(daemon.service.deleteAllOf(id(0).owner() + 1)).isZero();
      assertThat(daemon.service.deleteAllOf(id(0).owner())).isEqualTo(20);
      assertThat(daemon.service.stats().sealedObjects()).isZero();
    }
  }

  @Test
  void daemon_whenItEnds_failsAllWhoWaitOrCome() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      StorePort.Writing all = client.port().create(id(1), 64 * MIB);
      FutureTask<StorePort.Writing> waiting = start(() -> client.port().create(id(2), 10 * MIB));
      await(() -> daemon.store.stats().waitingCreates() == 1, daemon.store::stats);
      daemon.server.close();

      assertThatThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the connection to the object store at " + daemon.address());
      assertThatThrownBy(() -> client.port().pin(id(1), daemon.location()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is lost");
      assertThatThrownBy(all::seal).isInstanceOf(IllegalStateException.class);
      awaitNothingHeld();
      assertThat(daemon.store.stats().waitingCreates()).isZero();
    }
  }

  @Test
  void remoteClient_putsAndGets_withoutMapping() throws Exception {
    try (RpcChannel channel = RpcChannel.open(daemon.address(), Daemon.CREDENTIALS);
        Daemon.Client local = daemon.client()) {
      RemoteStoreClient remote = new RemoteStoreClient(channel, daemon.node);
      for (int size : new int[] {0, 1, 1000, MIB, MIB + 1, 40 * MIB + 3}) {
        put(remote, size, size);
        try (StorePort.Reading reading = local.port().pin(id(size), daemon.location());
            StorePort.Reading far = remote.pin(id(size), daemon.location())) {
          assertThat(reading.segment().byteSize()).isEqualTo(size);
          check(reading.segment(), size);
          assertThat(far.segment().isReadOnly()).isTrue();
          check(far.segment(), size);
          check(far.keep(), size);
        }
        check(remote.view(id(size), daemon.location()), size);
      }
      assertThat(remote.pin(id(9), daemon.location())).isNull();
      assertThatThrownBy(() -> put(remote, 9, 600L * MIB))
          .isInstanceOf(ObjectStoreFullException.class)
          .hasMessageContaining("600.0 MiB requested");
      daemon.server.close();
      assertThatThrownBy(() -> remote.pin(id(1), daemon.location()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("broke off");
      assertThatThrownBy(() -> put(remote, 9, 1)).isInstanceOf(IllegalStateException.class);
    }
    awaitNothingHeld();
  }

  @Test
  void manyThreads_ofTwoClients_readEveryByte() throws Exception {
    AtomicInteger rounds = new AtomicInteger();
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    try (Daemon.Client one = daemon.client();
        Daemon.Client two = daemon.client()) {
      List<FutureTask<Boolean>> threads = new ArrayList<>();
      for (int t = 0; t < 6; t++) {
        int first = 10_000 * (t + 1);
        StorePort writer = t % 2 == 0 ? one.port() : two.port();
        StorePort reader = t % 3 == 0 ? one.port() : two.port();
        threads.add(start(() -> work(writer, reader, first, endNanos, rounds)));
      }
      for (FutureTask<Boolean> thread : threads) {
        assertThat(thread.get(60, TimeUnit.SECONDS)).isTrue();
      }
    }
    awaitNothingHeld();
    assertThat(rounds.get()).isGreaterThan(20);
    daemon.service.deleteAllOf(id(0).owner());
    await(() -> daemon.store.stats().usedBytes() == 0, daemon.store::objects);
  }

  private boolean work(
      StorePort writer, StorePort reader, int first, long endNanos, AtomicInteger rounds) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    for (int i = 0; System.nanoTime() - endNanos < 0; i++) {
      put(writer, first + i, random.nextInt(6 * MIB));
      int older = first + random.nextInt(i + 1);
      try (StorePort.Reading reading = reader.pin(id(older), daemon.location())) {
        if (reading != null) {
          check(reading.segment(), older);
        }
      }
      if (i >= 4) {
        daemon.service.deleteObject(id(first + i - 4));
      }
      rounds.incrementAndGet();
    }
    return true;
  }

  @Test
  void process_killed_letsGoOfAllItHeld() throws Exception {
    try (Daemon.Client client = daemon.client()) {
      put(client.port(), 1, 5 * MIB);
      Process child = StoreChild.start(daemon);
      try {
        assertThat(StoreChild.line(child)).isEqualTo("holding");
        try (StorePort.Reading reading = client.port().pin(id(100), daemon.location())) {
          check(reading.segment(), 100); // the child has made it
        }
        await(() -> daemon.store.stats().pinnedObjects() == 1, daemon.store::objects);
        assertThat(daemon.store.stats().creatingObjects()).isEqualTo(1);
        child.destroyForcibly();
        awaitNothingHeld();
        assertThat(daemon.store.objects())
            .extracting(ObjectInfo::id)
            .containsExactlyInAnyOrder(id(1), id(100));
      } finally {
        child.destroyForcibly().waitFor();
      }
    }
  }
}
