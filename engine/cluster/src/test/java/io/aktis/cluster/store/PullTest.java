package io.aktis.cluster.store;

import static io.aktis.cluster.store.Daemon.MIB;
import static io.aktis.cluster.store.Daemon.await;
import static io.aktis.cluster.store.Daemon.check;
import static io.aktis.cluster.store.Daemon.id;
import static io.aktis.cluster.store.Daemon.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Objects on their way from one node to another. */
final class PullTest {
  private Path directory;
  private Daemon source;
  private Daemon target;

  @BeforeEach
  void start() throws IOException {
    directory = Daemon.directory();
    source = Daemon.start(1, directory, 256L * MIB);
    target = Daemon.start(2, directory, 256L * MIB);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    source.close();
    target.close();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    Files.delete(directory);
  }

  private void awaitNothingHeld() {
    for (Daemon daemon : List.of(source, target)) {
      await(
          () ->
              daemon.store.stats().pinnedObjects() == 0
                  && daemon.store.stats().creatingObjects() == 0,
          daemon.store::objects);
    }
  }

  private void putAtSource(int number, long sizeBytes) throws IOException {
    try (Daemon.Client client = source.client()) {
      put(client.port(), number, sizeBytes);
    }
  }

  @Test
  void pin_ofAnObjectElsewhere_bringsIt_asACopy() throws Exception {
    for (int size : new int[] {0, 1, MIB, 5 * MIB + 1}) {
      putAtSource(size, size);
      try (Daemon.Client client = target.client()) {
        try (StorePort.Reading reading = client.port().pin(id(size), source.location())) {
          assertThat(reading.segment().byteSize()).isEqualTo(size);
          check(reading.segment(), size);
        }
        source.service.deleteObject(id(size));
        try (StorePort.Reading again = client.port().pin(id(size), source.location())) {
          check(again.segment(), size); // it is here
        }
      }
    }
    awaitNothingHeld();
    try (Daemon.Client client = target.client()) {
      put(client.port(), 99, 256L * MIB); // copies make way without a place on disk
      assertThat(client.port().pin(id(MIB), source.location())).isNull();
    }
  }

  @Test
  void pull_of200MB_byParallelStreams_keepsEveryByte() throws Exception {
    long sizeBytes = 200_000_003;
    putAtSource(1, sizeBytes);
    try (Daemon.Client client = target.client();
        StorePort.Reading reading = client.port().pin(id(1), source.location())) {
      assertThat(reading.segment().byteSize()).isEqualTo(sizeBytes);
      check(reading.segment(), 1);
      try (Daemon.Client at = source.client();
          StorePort.Reading original = at.port().pin(id(1), source.location())) {
        assertThat(original.segment().mismatch(reading.segment())).isEqualTo(-1);
      }
    }
    awaitNothingHeld();
  }

  @Test
  void manyWhoAskAtOnce_getOneCopy() throws Exception {
    putAtSource(1, 100L * MIB); // two copies of it do not fit
    putAtSource(2, 100L * MIB);
    try (Daemon.Client client = target.client()) {
      List<FutureTask<Boolean>> readers = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int number = 1 + i % 2;
        FutureTask<Boolean> reader =
            new FutureTask<>(() -> {
              try (StorePort.Reading reading = client.port().pin(id(number), source.location())) {
                MemorySegment tail = reading.segment();
                check(tail, number);
                return true;
              }
            });
        Thread.startVirtualThread(reader);
        readers.add(reader);
      }
      for (FutureTask<Boolean> reader : readers) {
        assertThat(reader.get(60, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(target.store.stats().sealedObjects()).isEqualTo(2);
    }
    awaitNothingHeld();
  }

  @Test
  void pull_ofWhatIsNotThere_isAbsent() throws Exception {
    try (Daemon.Client client = target.client()) {
      assertThat(client.port().pin(id(1), source.location())).isNull();
      Location nobody = new Location(source.node, "127.0.0.1:1");
      assertThat(client.port().pin(id(1), nobody)).isNull();
      assertThat(client.port().pin(id(1), new Location(source.node, "own:2"))).isNull();
    }
    awaitNothingHeld();
  }

  @Test
  void pull_whoseSourceDies_isAbsentAndLeavesNothing() throws Exception {
    putAtSource(1, 200L * MIB);
    try (Daemon.Client client = target.client()) {
      StorePort.Writing blocker = client.port().create(id(2), 100L * MIB);
      FutureTask<Boolean> reader =
          new FutureTask<>(() -> client.port().pin(id(1), source.location()) == null);
      Thread.startVirtualThread(reader);
      await(() -> target.store.stats().waitingCreates() == 1, target.store::stats);
      source.cutOff();
      blocker.close();
      assertThat(reader.get(60, TimeUnit.SECONDS)).isTrue();
    }
    awaitNothingHeld();
    assertThat(target.store.stats().usedBytes()).isZero();
  }

  @Test
  void client_whichIsGoneInTheMiddle_leavesNothingPinned() throws Exception {
    putAtSource(1, 200L * MIB);
    Daemon.Client client = target.client();
    FutureTask<Boolean> reader =
        new FutureTask<>(() -> {
          try (StorePort.Reading reading = client.port().pin(id(1), source.location())) {
            return reading != null;
          }
        });
    Thread.startVirtualThread(reader);
    await(
        () -> target.store.stats().creatingObjects() == 1 || reader.isDone(), target.store::stats);
    client.close();
    await(reader::isDone, target.store::stats);
    awaitNothingHeld();
  }

  @Test
  void remoteClient_getsThroughItsNode_whatIsElsewhere() throws Exception {
    putAtSource(1, 3L * MIB);
    try (RpcChannel channel = RpcChannel.open(target.address(), Daemon.CREDENTIALS)) {
      RemoteStoreClient remote = new RemoteStoreClient(channel, target.node);
      check(remote.view(id(1), source.location()), 1);
      assertThat(target.store.stats().sealedObjects()).isEqualTo(1);
    }
    awaitNothingHeld();
  }
}
