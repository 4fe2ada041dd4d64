package io.aktis.benchmarks.macro;

import io.aktis.AktisSession;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.benchmarks.macro.Budget.Times;
import io.aktis.benchmarks.macro.Budget.TimesOwn;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Large objects on their way from node to node. */
final class TransferLoads {
  private static final long MB = 1 << 20;
  private static final long LARGE_BYTES = 500 * MB;
  private static final long BROADCAST_BYTES = 1024 * MB;
  private static final int RECEIVERS = 4;

  private TransferLoads() {}

  /** Returns the loads for which a setting has enough nodes. */
  static List<Load> all(Setting setting) {
    List<Load> loads = new ArrayList<>();
    if (setting.nodes() >= 2) {
      loads.add(transfer(setting));
    }
    if (setting.nodes() > RECEIVERS) {
      loads.add(broadcast(setting));
    }
    return loads;
  }

  private static Load transfer(Setting setting) {
    Load load =
        Load.of(setting, "transfer_500mb_gb_per_s", Unit.GB_PER_SECOND)
            .aktis(rig -> {
              Probe seconds = sending(rig.session(), LARGE_BYTES, 1);
              return new Probe() {
                @Override
                public double measure(double window) throws Exception {
                  return LARGE_BYTES / 1e9 / seconds.measure(window);
                }

                @Override
                public void settle(double window) throws Exception {
                  seconds.settle(window);
                }
              };
            })
            .jdk("bare socket", rig -> bareSocket(rig.peer().socket()));
    // A bare socket encrypts nothing and has no slow network, so the two would not do the same.
    return setting.tls() || setting.isSlow() ? load : load.separate(new Times(Side.JDK, 0.6));
  }

  private static Probe bareSocket(BareSocket socket) {
    MemorySegment data = Arena.ofAuto().allocate(LARGE_BYTES).fill((byte) 1);
    return Probe.rate(LARGE_BYTES / 1e9, () -> socket.transfer(data));
  }

  private static Load broadcast(Setting setting) {
    return Load.of(setting, "broadcast_1gb_to_4_s", Unit.SECONDS)
        .aktis(rig -> sending(rig.session(), BROADCAST_BYTES, RECEIVERS))
        .also("one transfer", rig -> sending(rig.session(), BROADCAST_BYTES, 1))
        .separate(new TimesOwn("one transfer", 2.5));
  }

  private static Probe sending(AktisSession session, long bytes, int receivers) {
    List<String> nodes = session.cluster().nodes().stream().map(NodeInfo::id).toList();
    return new Sending(session, bytes, nodes.getFirst(), nodes.subList(1, 1 + receivers));
  }

  /**
   * Measures how many seconds it takes until an object that one node has is with some others. Each
   * time it is a new object, and neither making it nor letting it go is measured. Before the first
   * window as many go there as fill a store: a node keeps what it has read while it has room, so
   * all before comes into memory that nobody has touched, and the first touch is what would be
   * measured.
   */
  private static final class Sending implements Probe {
    private final AktisSession session;
    private final long bytes;
    private final String from;
    private final List<String> to;
    private long sentBytes;

    Sending(AktisSession session, long bytes, String from, List<String> to) {
      this.session = session;
      this.bytes = bytes;
      this.from = from;
      this.to = to;
    }

    @Override
    public void settle(double seconds) throws Exception {
      while (sentBytes <= Rig.STORE_BYTES) {
        sendNs();
      }
    }

    @Override
    public double measure(double seconds) throws Exception {
      long windowNs = (long) (seconds * 1e9);
      long spentNs = 0;
      int times = 0;
      do {
        spentNs += sendNs();
        times++;
      } while (spentNs < windowNs);
      return spentNs / 1e9 / times;
    }

    private long sendNs() throws InterruptedException {
      long spentNs;
      try (ObjectRef<MemorySegment> made = made(session, from, bytes)) {
        long start = System.nanoTime();
        session.get(read(session, made, to));
        spentNs = System.nanoTime() - start;
      }
      letGo(session, to);
      sentBytes += bytes;
      return spentNs;
    }
  }

  /** Has the workers collect the views that hold the last object, or the next waits for room. */
  private static void letGo(AktisSession session, List<String> nodes) {
    List<ObjectRef<String>> all = new ArrayList<>();
    for (String node : nodes) {
      all.add(session.task(Work::collect).onNode(node).remote());
    }
    session.get(all);
  }

  private static ObjectRef<MemorySegment> made(AktisSession session, String node, long bytes)
      throws InterruptedException {
    ObjectRef<MemorySegment> made = session.task(Work::block, bytes).onNode(node).remote();
    session.wait(List.of(made));
    return made;
  }

  private static List<ObjectRef<Long>> read(
      AktisSession session, ObjectRef<MemorySegment> block, List<String> nodes) {
    List<ObjectRef<Long>> sizes = new ArrayList<>();
    for (String node : nodes) {
      sizes.add(session.task(Work::size, block).onNode(node).remote());
    }
    return sizes;
  }
}
