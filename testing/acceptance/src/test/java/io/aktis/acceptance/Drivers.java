package io.aktis.acceptance;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.Lifetime;
import io.aktis.NodeInfo;
import io.aktis.ObjectRef;
import io.aktis.acceptance.Work.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Programs of users, each run in a process of its own on the cluster that the variable names. */
final class Drivers {
  private Drivers() {}

  /** Takes all that it can get, says so, and goes on until it is ended. */
  static final class Busy {
    private Busy() {}

    static void main(String[] arguments) throws Exception {
      String notes = arguments[0];
      try (AktisSession session =
          Aktis.init(options -> options.infeasibleGrace(Duration.ofSeconds(1)))) {
        List<ActorHandle<Counter>> actors = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          actors.add(session.actor(Counter::new).cpus(1).remote());
          actors.getLast().call(Counter::add, 1).get();
        }
        ObjectRef<byte[]> large = session.put(new byte[8 << 20]);
        ObjectRef<byte[]> made = session.task(Work::bytes, 8 << 20, notes).remote();
        made.get();
        ObjectRef<Long> running = session.task(Work::waitFor, notes, notes + "-never").remote();
        System.out.println("busy " + ProcessHandle.current().pid());
        System.out.flush();
        System.out.println(running.get() + " " + large.id());
      }
    }
  }

  /** Leaves an actor behind, says so, and goes on until it is ended. */
  static final class Leaves {
    private Leaves() {}

    static void main() throws InterruptedException {
      try (AktisSession session = Aktis.init()) {
        ActorHandle<Counter> left =
            session.actor(Counter::new).named("left").lifetime(Lifetime.DETACHED).cpus(0).remote();
        left.call(Counter::add, 7).get();
        System.out.println("left");
        System.out.flush();
        Thread.currentThread().join();
      }
    }
  }

  /** Runs tasks that wait for nothing, all queued at once; prints their sum. */
  static final class Many {
    private Many() {}

    static void main(String[] arguments) {
      int count = Integer.parseInt(arguments[0]);
      try (AktisSession session = Aktis.init()) {
        List<ObjectRef<Integer>> sums = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          sums.add(session.task(Math::addExact, i, 1).remote());
        }
        System.out.println("sum " + session.get(sums).stream().mapToLong(Integer::longValue).sum());
      }
    }
  }

  /** Does a little of everything, and ends. */
  static final class Brief {
    private Brief() {}

    static void main() {
      try (AktisSession session = Aktis.init()) {
        System.out.println("result " + oneJob(session));
      }
    }
  }

  /** Makes a large value on each node, and reads each of them on each node. */
  static final class Everywhere {
    private Everywhere() {}

    static void main() {
      try (AktisSession session = Aktis.init()) {
        List<String> nodes = session.cluster().nodes().stream().map(NodeInfo::id).toList();
        List<ObjectRef<byte[]>> made = new ArrayList<>();
        for (String node : nodes) {
          made.add(session.task(Everywhere::make).onNode(node).remote());
        }
        List<ObjectRef<Integer>> lasts = new ArrayList<>();
        for (ObjectRef<byte[]> value : made) {
          for (String node : nodes) {
            lasts.add(session.task(Work::last, value).onNode(node).remote());
          }
        }
        List<Integer> found = session.<Integer>get(lasts).stream().distinct().toList();
        long bytes = session.<byte[]>get(made).stream().mapToLong(value -> value.length).sum();
        System.out.println("nodes " + nodes.size());
        System.out.println("bytes " + bytes);
        System.out.println("last " + found);
      }
    }

    static byte[] make() {
      byte[] bytes = new byte[4 << 20];
      bytes[bytes.length - 1] = 42;
      return bytes;
    }
  }

  /** A little of everything; returns 8 MiB and 1. */
  static int oneJob(AktisSession session) {
    ObjectRef<byte[]> large = session.put(new byte[8 << 20]);
    ObjectRef<Integer> length = session.task((byte[] bytes) -> bytes.length, large).remote();
    ActorHandle<Counter> counter = session.actor(Counter::new).remote();
    return length.get() + counter.call(Counter::add, 1).get();
  }
}
