package io.aktis.cluster.store;

import static io.aktis.cluster.store.Daemon.MIB;
import static io.aktis.cluster.store.Daemon.await;
import static io.aktis.cluster.store.Daemon.check;
import static io.aktis.cluster.store.Daemon.id;
import static io.aktis.cluster.store.Daemon.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.relay.SlowNetwork;
import io.aktis.runtime.port.StorePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects on their way to several nodes, and transfers that are cut, over a slow network. */
@ParameterizedClass
@ValueSource(booleans = {true, false})
final class BroadcastTest {
  /** What a cut loses: all that is in buffers on the way. */
  private static final long SLACK_BYTES = 60L * MIB;

  /** A write that the cut has ended is not counted, though some of it may have got through. */
  private static final long UNCOUNTED_BYTES = 2L * MIB;

  @Parameter boolean overDataPorts;

  private final List<Daemon> daemons = new ArrayList<>();
  private Path directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Daemon.directory();
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    daemons.forEach(Daemon::close);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
    Files.delete(directory);
  }

  /** Starts a node whose server lets so much through in a second. */
  private Daemon start(long bytesPerSecond) throws IOException {
    List<String> properties = new ArrayList<>();
    for (String option : new SlowNetwork(Duration.ZERO, bytesPerSecond).jvmOptions()) {
      String[] parts = option.substring("-D".length()).split("=");
      System.setProperty(parts[0], parts[1]);
      properties.add(parts[0]);
    }
    try {
      Daemon daemon = Daemon.start(daemons.size() + 1, directory, 250L * MIB);
      daemons.add(daemon);
      return overDataPorts ? daemon.reachable() : daemon.reachable().withoutDataPort();
    } finally {
      properties.forEach(System::clearProperty);
    }
  }

  private static void putAt(Daemon daemon, long sizeBytes) throws IOException {
    try (Daemon.Client client = daemon.client()) {
      put(client.port(), 1, sizeBytes);
    }
  }

  /** Reads the object at a node, from another; the result is whether it is there and right. */
  private static FutureTask<Boolean> reading(Daemon at, Daemon from) {
    FutureTask<Boolean> reader =
        new FutureTask<>(() -> {
          try (Daemon.Client client = at.client();
              StorePort.Reading reading = client.port().pin(id(1), from.location())) {
            if (reading == null) {
              return false;
            }
            check(reading.segment(), 1);
            return true;
          }
        });
    Thread.startVirtualThread(reader);
    return reader;
  }

  private static boolean result(FutureTask<Boolean> reader) throws Exception {
    return reader.get(60, TimeUnit.SECONDS);
  }

  private void awaitNothingHeld() {
    for (Daemon daemon : daemons) {
      await(
          () ->
              daemon.store.stats().pinnedObjects() == 0
                  && daemon.store.stats().creatingObjects() == 0,
          daemon.store::objects);
    }
  }

  // ---- cuts -------------------------------------------------------------------------------

  @Test
  void pull_whoseConnectionIsCut_goesOnWhereItWas_whenTheNodeIsBack() throws Exception {
    long sizeBytes = 200L * MIB + 3;
    Daemon source = start(100L * MIB);
    Daemon target = start(SlowNetwork.UNLIMITED);
    putAt(source, sizeBytes);
    FutureTask<Boolean> reader = reading(target, source);
    await(() -> source.service.sentBytes() > 120L * MIB, source.service::sentBytes);

    source.cutOff();
    await(() -> target.service.arrivedBytes(id(1)) > 80L * MIB, target.store::objects);
    source.serveAgain();

    assertThat(result(reader)).isTrue();
    assertThat(source.service.sentBytes())
        .isBetween(sizeBytes - UNCOUNTED_BYTES, sizeBytes + SLACK_BYTES);
    awaitNothingHeld();
  }

  @Test
  void pull_whoseHolderDies_goesOnWhereItWas_fromAnotherHolder() throws Exception {
    long sizeBytes = 200L * MIB + 3;
    Daemon source = start(100L * MIB);
    Daemon other = start(SlowNetwork.UNLIMITED);
    Daemon target = start(SlowNetwork.UNLIMITED);
    putAt(source, sizeBytes);
    assertThat(result(reading(other, source))).isTrue();
    long before = source.service.sentBytes();
    FutureTask<Boolean> reader = reading(target, source);
    await(() -> source.service.sentBytes() > before + 120L * MIB, source.service::sentBytes);

    source.cutOff();

    assertThat(result(reader)).isTrue();
    long fromSource = source.service.sentBytes() - before;
    long fromOther = other.service.sentBytes();
    assertThat(fromOther).isPositive();
    assertThat(source.service.dataBytes() > 0).isEqualTo(overDataPorts);
    assertThat(other.service.dataBytes()).isEqualTo(overDataPorts ? fromOther : 0);
    assertThat(fromSource + fromOther)
        .isBetween(sizeBytes - UNCOUNTED_BYTES, sizeBytes + SLACK_BYTES);
    awaitNothingHeld();
  }

  @Test
  void pull_whoseHolderDiesForGood_isAbsentAfterAWhile_andLeavesNothing() throws Exception {
    Daemon source = start(50L * MIB);
    Daemon target = start(SlowNetwork.UNLIMITED);
    putAt(source, 200L * MIB);
    FutureTask<Boolean> reader = reading(target, source);
    await(() -> source.service.sentBytes() > 20L * MIB, source.service::sentBytes);

    source.cutOff();

    assertThat(result(reader)).isFalse();
    awaitNothingHeld();
    assertThat(target.store.stats().usedBytes()).isZero();
  }

  @Test
  void pull_ofWhatIsDeletedMeanwhile_isAbsent() throws Exception {
    Daemon source = start(50L * MIB);
    Daemon target = start(SlowNetwork.UNLIMITED);
    putAt(source, 200L * MIB);
    FutureTask<Boolean> reader = reading(target, source);
    await(() -> source.service.sentBytes() > 5L * MIB, source.service::sentBytes);

    source.service.deleteObject(id(1)); // what is being sent is pinned, the rest is gone

    assertThat(result(reader)).isFalse();
    awaitNothingHeld();
  }

  // ---- trees ------------------------------------------------------------------------------

  @Test
  void object_thatFourNodesWantAtOnce_isSentByNoNodeMoreOftenThanItMay() throws Exception {
    long sizeBytes = 100L * MIB + 1;
    long rate = 50L * MIB; // slow, so that all of them are there before the first has it all
    Daemon source = start(rate);
    List<Daemon> targets = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      targets.add(start(rate));
    }
    putAt(source, sizeBytes);

    List<FutureTask<Boolean>> readers =
        targets.stream().map(target -> reading(target, source)).toList();

    for (FutureTask<Boolean> reader : readers) {
      assertThat(result(reader)).isTrue();
    }
    long firstParts = 4L * Pull.FIRST_BYTES; // everybody asks the source how much there is
    assertThat(source.service.sentBytes())
        .isBetween(sizeBytes, Routes.MAX_READERS * sizeBytes + firstParts);
    long sum = source.service.sentBytes();
    for (Daemon target : targets) {
      assertThat(target.service.sentBytes()).isLessThanOrEqualTo(Routes.MAX_READERS * sizeBytes);
      sum += target.service.sentBytes();
    }
    assertThat(sum).isEqualTo(4 * sizeBytes); // nobody has read anything twice
    awaitNothingHeld();
  }

  @Test
  void reader_whoseSourceDiesInTheMiddle_getsTheRestFromAnother() throws Exception {
    long sizeBytes = 150L * MIB + 1;
    Daemon source = start(50L * MIB);
    Daemon first = start(SlowNetwork.UNLIMITED);
    Daemon second = start(SlowNetwork.UNLIMITED);
    Daemon third = start(SlowNetwork.UNLIMITED);
    putAt(source, sizeBytes);
    FutureTask<Boolean> cutOff = reading(first, source);
    await(() -> first.service.arrivedBytes(id(1)) > 0, first.store::objects);
    FutureTask<Boolean> other = reading(second, source);
    await(() -> second.service.arrivedBytes(id(1)) > 0, second.store::objects);
    FutureTask<Boolean> last = reading(third, source);
    await(() -> first.service.sentBytes() > 0, first.store::objects);

    first.cutOff();

    assertThat(result(last)).isTrue();
    assertThat(result(other)).isTrue();
    await(cutOff::isDone, first.store::objects); // with its node
    assertThat(source.service.sentBytes()).isLessThan(3 * sizeBytes + SLACK_BYTES);
    awaitNothingHeld();
  }

  @Test
  void node_thatHadACopy_servesAgainOnlyWhenItHasOne() throws Exception {
    long sizeBytes = 40L * MIB;
    Daemon source = start(SlowNetwork.UNLIMITED);
    Daemon first = start(SlowNetwork.UNLIMITED);
    Daemon second = start(SlowNetwork.UNLIMITED);
    Daemon third = start(SlowNetwork.UNLIMITED);
    putAt(source, sizeBytes);
    assertThat(result(reading(first, source))).isTrue();
    first.service.deleteObject(id(1));

    assertThat(result(reading(second, source))).isTrue();
    assertThat(result(reading(first, source))).isTrue(); // it wants it again
    assertThat(result(reading(third, source))).isTrue();

    source.service.deleteObject(id(1));
    second.service.deleteObject(id(1));
    assertThat(result(reading(second, source))).isFalse();
    awaitNothingHeld();
  }
}
