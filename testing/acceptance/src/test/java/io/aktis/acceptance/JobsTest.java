package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.acceptance.Work.Counter;
import io.aktis.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several drivers use one cluster, at once and one after the other. */
final class JobsTest {
  private static RealCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RealCluster.start(2, 2);
  }

  /** Fails when anything is left. */
  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void drivers_atTheSameTime_shareNamesButNoProcess() {
    try (AktisSession one = cluster.open()) {
      ActorHandle<Counter> mine = one.actor(Counter::new).named("counter").cpus(0).remote();
      assertThat(mine.call(Counter::add, 5).get()).isEqualTo(5);
      try (AktisSession two = cluster.open()) {
        assertThatThrownBy(() -> two.getActor(Counter.class, "counter", "mine"))
            .hasMessageContaining("the name exists in [default]");
        ActorHandle<Counter> yours =
            two.actor(Counter::new).named("counter").namespace("mine").cpus(0).remote();

        assertThat(yours.call(Counter::add, 1).get()).isEqualTo(1);
        assertThat(yours.call(Counter::pid).get()).isNotEqualTo(mine.call(Counter::pid).get());
      }
      assertThat(mine.call(Counter::add, 5).get()).isEqualTo(10);
    }
  }

  @Test
  void actor_detachedByADriverThatIsKilled_isUsedByTheNextOne() {
    try (Program driver = cluster.machine().startDriver(Drivers.Leaves.class)) {
      driver.awaitLine("left");
      driver.kill();
    }
    assertThat(cluster.machine().mustAktis("job", "list")).contains("what is detached of");
    try (AktisSession next = cluster.open()) {
      ActorHandle<Counter> left = next.getActor(Counter.class, "left");
      assertThat(left.call(Counter::add, 1).get()).isEqualTo(8);
      left.kill();
      next.actor(Counter::new).named("left").cpus(0).remote().kill();
    }
    Await.until(
        "the owner of the actor to end",
        Duration.ofSeconds(15),
        () -> !cluster.machine().mustAktis("job", "list").contains("RUNNING"),
        () -> cluster.machine().mustAktis("job", "list"));
  }

  @Test
  void builds_ofTheSameClass_areSeenByTheirOwnJobOnly() throws IOException {
    Path one = compiled("one");
    Path two = compiled("two");
    Path go = cluster.machine().file("builds-go");
    try (Program first = startBuild(one, go);
        Program second = startBuild(two, go)) {
      first.awaitLine("task one");
      second.awaitLine("task two");
      Notes.touch(go); // both have workers now
      assertThat(first.awaitSuccess()).contains("again one", "actor one");
      assertThat(second.awaitSuccess()).contains("again two", "actor two");
    }
  }

  private static Program startBuild(Path classes, Path go) {
    return cluster.machine().startDriver(List.of(classes), "Build", go.toString());
  }

  /** A program in which the name of its build is compiled in. */
  private static Path compiled(String name) throws IOException {
    Path source = Files.createDirectories(cluster.machine().file("source-" + name));
    Path classes = Files.createDirectories(cluster.machine().file("classes-" + name));
    Path file =
        Files.writeString(
            source.resolve("Build.java"),
            """
            import io.aktis.Aktis;
            import java.nio.file.Files;
            import java.nio.file.Path;

            public class Build {
              public static void main(String[] arguments) throws Exception {
                try (var session = Aktis.init()) {
                  System.out.println("task " + session.task(Build::name).remote().get());
                  System.out.flush();
                  while (!Files.exists(Path.of(arguments[0]))) {
                    java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
                  }
                  System.out.println("again " + session.task(Build::name).remote().get());
                  var actor = session.actor(Build::new).remote();
                  System.out.println("actor " + actor.call(Build::ownName).get());
                }
              }

              static String name() {
                return "NAME";
              }

              String ownName() {
                return "NAME";
              }
            }
            """
                .replace("NAME", name));
    Sources.compile(file, classes);
    return classes;
  }

  @Test
  void jobs_oneAfterTheOther_doNotLetDaemonsGrow() {
    runJobs(Sizes.of(3, 20));
    List<Grown> before = cluster.nodes().stream().map(Grown::of).toList();

    runJobs(Sizes.of(20, 200));

    List<Grown> after = cluster.nodes().stream().map(Grown::of).toList();
    for (int i = 0; i < before.size(); i++) {
      Grown then = before.get(i);
      Grown now = after.get(i);
      assertThat(now.threads).as("threads").isLessThanOrEqualTo(then.threads + 4);
      assertThat(now.files).as("open files").isLessThanOrEqualTo(then.files + 4);
      assertThat(now.residentKib).as("KiB of RAM").isLessThan(then.residentKib + (48 << 10));
      assertThat(now.heapKib).as("KiB of heap").isLessThan(then.heapKib + (4 << 10));
    }
  }

  private static void runJobs(int count) {
    for (int i = 0; i < count; i++) {
      try (AktisSession session = cluster.open()) {
        assertThat(Drivers.oneJob(session)).isEqualTo((8 << 20) + 1);
      }
    }
    cluster.awaitNoWorkers(Duration.ofSeconds(15));
  }

  /** What a daemon has. */
  private record Grown(long threads, long files, long residentKib, long heapKib) {
    static Grown of(RealCluster.Node node) {
      long heapKib = heapKib(node.pid());
      return new Grown(
          ProcFiles.threads(node.pid()),
          ProcFiles.openFiles(node.pid()),
          ProcFiles.residentKib(node.pid()),
          heapKib);
    }

    /** Collects the garbage of another JVM first. */
    private static long heapKib(long pid) {
      jcmd(pid, "GC.run");
      return jcmd(pid, "GC.heap_info")
          .lines()
          .filter(line -> line.contains("generation") && line.contains("used"))
          .mapToLong(line -> Long.parseLong(line.replaceAll(".* used (\\d+)K.*", "$1")))
          .sum();
    }

    private static String jcmd(long pid, String command) {
      Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      return Program.run(List.of(tool.toString(), Long.toString(pid), command), cluster.machine());
    }
  }

  @Test
  void tasks_ofTwoDriversAtOnce_areAllRun() {
    int count = Sizes.of(10_000, 50_000);
    String each = Integer.toString(count);
    String sum = "sum " + (long) count * (count + 1) / 2;
    try (Program one = cluster.machine().startDriver(Drivers.Many.class, each);
        Program two = cluster.machine().startDriver(Drivers.Many.class, each)) {
      assertThat(one.awaitSuccess()).contains(sum);
      assertThat(two.awaitSuccess()).contains(sum);
    }
  }

  @Test
  void driver_thatHasEnded_leavesNoFileInTheStore() {
    try (Program driver = cluster.machine().startDriver(Drivers.Brief.class)) {
      assertThat(driver.awaitSuccess()).contains("result " + ((8 << 20) + 1));
    }
    try (AktisSession session = cluster.open()) {
      Await.until(
          "the stores to be empty",
          Duration.ofSeconds(15),
          () -> used(session).equals(Set.of(0L)),
          () -> "Used are " + used(session));
    }
  }

  private static Set<Long> used(AktisSession session) {
    return Set.copyOf(
        session.cluster().nodes().stream().map(node -> node.storeUsedBytes()).toList());
  }
}
