package io.aktis.cluster.membership;

import static io.aktis.cluster.membership.Recorder.goneOf;
import static io.aktis.cluster.membership.Recorder.upOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.junit.jupiter.api.Test;

/** Several nodes in this JVM. */
final class PekkoMembershipTest {
  private static final long SOON_MS = 5_000;

  @Test
  void members_ofThreeNodes_areTheSameOnAllInOrderOfAge() throws Exception {
    try (Nodes nodes = new Nodes()) {
      MembershipConfig headConfig = new Nodes.Config().make();
      PekkoMembership head = nodes.start(headConfig);
      Recorder atHead = Recorder.of(head);
      MembershipConfig secondConfig = Nodes.Config.joining(head).make();
      PekkoMembership second = nodes.start(secondConfig);
      MembershipConfig thirdConfig = Nodes.Config.joining(second).make();
      PekkoMembership third = nodes.start(thirdConfig);

      List<Membership.Member> all =
          List.of(headConfig.self(), secondConfig.self(), thirdConfig.self());
      assertThat(third.members()).isEqualTo(all);
      for (Membership.Member member : all) {
        assertThat(atHead.next(SOON_MS)).isEqualTo(upOf(member));
      }
      Recorder atSecond = Recorder.of(second);
      assertThat(atSecond.next(SOON_MS)).isEqualTo(upOf(all.get(0)));
      assertThat(atSecond.next(SOON_MS)).isEqualTo(upOf(all.get(1)));
      assertThat(atSecond.next(SOON_MS)).isEqualTo(upOf(all.get(2)));
      assertThat(head.members()).isEqualTo(all);
      assertThat(second.members()).isEqualTo(all);
      assertThat(all.stream().map(Membership.Member::candidate))
          .containsExactly(true, false, false);
    }
  }

  @Test
  void close_ofOneOfThree_isGoneOnceAtTheOthersWithinTwoSeconds() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      PekkoMembership second = nodes.join(head);
      MembershipConfig thirdConfig = Nodes.Config.joining(head).make();
      PekkoMembership third = nodes.start(thirdConfig);
      Recorder atHead = heardOfThree(head);
      Recorder atSecond = heardOfThree(second);
      Recorder atThird = heardOfThree(third);

      long startNs = System.nanoTime();
      third.close();
      long closeMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);

      assertThat(atHead.next(2_000)).isEqualTo(goneOf(thirdConfig.self()));
      assertThat(atSecond.next(2_000)).isEqualTo(goneOf(thirdConfig.self()));
      assertThat(closeMs).as("ms that closing took").isLessThan(4_000);
      assertThat(head.members()).hasSize(2).doesNotContain(thirdConfig.self());
      second.close();
      assertThat(atHead.next(2_000)).startsWith("gone ");
      assertThat(atHead.heard()).isEmpty();
      assertThat(atThird.heard()).as("heard by who has left").isEmpty();
    }
  }

  private static Recorder heardOfThree(PekkoMembership node) throws InterruptedException {
    Recorder recorder = Recorder.of(node);
    for (int i = 0; i < 3; i++) {
      assertThat(recorder.next(SOON_MS)).startsWith("up ");
    }
    return recorder;
  }

  @Test
  void close_ofTheHead_leavesTheOthers() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      PekkoMembership second = nodes.join(head);
      Recorder atSecond = Recorder.of(second);
      head.close();

      assertThat(atSecond.next(SOON_MS)).startsWith("up ");
      assertThat(atSecond.next(SOON_MS)).startsWith("up ");
      assertThat(atSecond.next(SOON_MS)).startsWith("gone ").contains("candidate=true");
      PekkoMembership third = nodes.join(second);
      assertThat(third.members()).hasSize(2);
    }
  }

  @Test
  void start_atThePortOfAnEarlierLife_isAnotherMember() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      MembershipConfig earlierConfig = Nodes.Config.joining(head).make();
      PekkoMembership earlier = nodes.start(earlierConfig);
      Recorder atHead = Recorder.of(head);
      int port = Nodes.port(earlier);
      earlier.close();
      Nodes.Config again = Nodes.Config.joining(head);
      again.controlPort = port;
      MembershipConfig laterConfig = again.make();
      PekkoMembership later = nodes.start(laterConfig);

      assertThat(Nodes.port(later)).isEqualTo(port);
      assertThat(atHead.next(SOON_MS)).contains("candidate=true");
      assertThat(atHead.next(SOON_MS)).isEqualTo(upOf(earlierConfig.self()));
      assertThat(atHead.next(SOON_MS)).isEqualTo(goneOf(earlierConfig.self()));
      assertThat(atHead.next(SOON_MS)).isEqualTo(upOf(laterConfig.self()));
    }
  }

  @Test
  void down_byAnother_tellsTheNodeOnceAndEndsItsPart() throws Exception {
    CountDownLatch downed = new CountDownLatch(2);
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      Nodes.Config joining = Nodes.Config.joining(head);
      joining.onDowned = downed::countDown;
      MembershipConfig config = joining.make();
      PekkoMembership second = nodes.start(config);
      Recorder atHead = Recorder.of(head);
      head.down(config.self());

      await("the node to hear of it", () -> downed.getCount() == 1);
      assertThat(atHead.next(SOON_MS)).contains("candidate=true");
      assertThat(atHead.next(SOON_MS)).isEqualTo(upOf(config.self()));
      assertThat(atHead.next(SOON_MS)).isEqualTo(goneOf(config.self()));
      second.close();
      assertThat(downed.getCount()).isEqualTo(1);
      assertPortIsFree(Nodes.port(second));
    }
  }

  private static void assertPortIsFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(socket.getLocalPort()).isEqualTo(port);
    }
  }

  @Test
  void start_withNobodyAtTheSeeds_saysSoAtOnceAndNamesThem() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Nodes.Config config = new Nodes.Config();
    config.session = "a-session";
    config.seeds = List.of("127.0.0.1:" + port, "no-such-host.invalid:7001");

    JoinException error =
        catchThrowableOfType(JoinException.class, () -> PekkoMembership.start(config.make()));

    assertThat(error.reason()).isEqualTo(JoinException.Reason.SEED_UNREACHABLE);
    assertThat(error)
        .hasMessageContaining("127.0.0.1:" + port + " (Connection refused)")
        .hasMessageContaining("no-such-host.invalid:7001 (the host name resolves to nothing)");
  }

  @Test
  void start_withAnotherTokenOrSession_isRefusedAndSaysWhy() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      Recorder atHead = Recorder.of(head);
      Nodes.Config otherToken = Nodes.Config.joining(head);
      otherToken.token = "another-token";
      Nodes.Config otherSession = Nodes.Config.joining(head);
      otherSession.session = "another-session";

      assertCannotJoin(otherToken);
      assertCannotJoin(otherSession);
      assertThat(atHead.heard()).hasSize(1);
      assertThat(head.members()).hasSize(1);
    }
  }

  private static void assertCannotJoin(Nodes.Config config) {
    config.joinTimeout = Duration.ofSeconds(2);
    long startNs = System.nanoTime();
    JoinException error =
        catchThrowableOfType(JoinException.class, () -> PekkoMembership.start(config.make()));
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);

    assertThat(error.reason()).isEqualTo(JoinException.Reason.TIMED_OUT);
    assertThat(error)
        .hasMessageContaining(config.seeds.getFirst())
        .hasMessageContaining("the token or the session is not that of the cluster");
    assertThat(tookMs).as("ms until the refusal").isBetween(1_900L, 4_000L);
  }

  @Test
  void start_withSettingsThatTheClusterDoesNotHave_isRefused() throws Exception {
    Config otherSettings =
        ConfigFactory.parseMap(
                Map.of(
                    "pekko.remote.artery.canonical.hostname", "127.0.0.1",
                    "pekko.remote.artery.canonical.port", 0,
                    "pekko.cluster.downing-provider-class", "",
                    "pekko.loglevel", "OFF"))
            .withFallback(ConfigFactory.parseResources("io/aktis/cluster/membership/pekko.conf"))
            .withFallback(ConfigFactory.defaultReference())
            .resolve();
    String name = PekkoSystem.name("a-session", Nodes.TOKEN);
    ActorSystem other = ActorSystem.create(name, otherSettings);
    try {
      Cluster cluster = Cluster.get(other);
      cluster.join(cluster.selfAddress());
      Nodes.Config config = new Nodes.Config();
      config.session = "a-session";
      config.seeds = List.of(Watcher.hostPort(cluster.selfAddress()).toString());

      JoinException error =
          catchThrowableOfType(JoinException.class, () -> PekkoMembership.start(config.make()));

      assertThat(error.reason()).isEqualTo(JoinException.Reason.REFUSED);
      assertThat(error).hasMessageContaining(config.seeds.getFirst() + " does not want this node");
    } finally {
      other.terminate();
      other.getWhenTerminated().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void start_atAPortInUse_saysWhichAndLeavesNothing() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Set<String> before = threads();
      Nodes.Config config = new Nodes.Config();
      config.controlPort = taken.getLocalPort();
      JoinException error =
          catchThrowableOfType(JoinException.class, () -> PekkoMembership.start(config.make()));

      assertThat(error.reason()).isEqualTo(JoinException.Reason.CANNOT_LISTEN);
      assertThat(error).hasMessageContaining("127.0.0.1:" + taken.getLocalPort());
      await("the threads to end", () -> newThreads(before).isEmpty());
    }
  }

  @Test
  void close_always_leavesNoThreadAndNoPort() throws Exception {
    try (Nodes warm = new Nodes()) {
      warm.first();
    }
    Set<String> before = threads();
    int port;
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      nodes.join(head);
      port = Nodes.port(head);
      assertThat(newThreads(before)).isNotEmpty();
    }

    assertPortIsFree(port);
    await("the threads to end: " + newThreads(before), () -> newThreads(before).isEmpty());
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(thread -> thread.threadId() + " " + thread.getName())
        .collect(Collectors.toSet());
  }

  /** Without those that the JVM keeps for virtual threads. */
  private static Set<String> newThreads(Set<String> before) {
    Set<String> now = threads();
    now.removeAll(before);
    now.removeIf(name -> name.contains("ForkJoinPool-1-worker") || name.contains("VirtualThread"));
    return now;
  }

  @Test
  void listen_withOneThatThrows_doesNotHarmTheOthers() throws Exception {
    try (Nodes nodes = new Nodes()) {
      PekkoMembership head = nodes.first();
      head.listen(new Broken());
      Recorder recorder = Recorder.of(head);
      nodes.join(head).close();

      assertThat(recorder.next(SOON_MS)).startsWith("up ");
      assertThat(recorder.next(SOON_MS)).startsWith("up ");
      assertThat(recorder.next(SOON_MS)).startsWith("gone ");
    }
  }

  private static final class Broken implements Membership.Listener {
    @Override
    public void up(Membership.Member member) {
      throw new IllegalStateException("broken on purpose");
    }

    @Override
    public void gone(Membership.Member member) {
      throw new IllegalStateException("broken on purpose");
    }
  }

  @Test
  void start_onLoopbackOfIpv6_works() throws Exception {
    try (Nodes nodes = new Nodes()) {
      Nodes.Config config = new Nodes.Config();
      config.address = "[::1]:7000";
      config.controlHost = "::1";
      PekkoMembership head = nodes.start(config.make());
      Nodes.Config joining = Nodes.Config.joining(head);
      joining.controlHost = "::1";
      PekkoMembership second = nodes.start(joining.make());

      assertThat(head.controlAddress()).startsWith("[").contains("]:");
      assertThat(second.members()).hasSize(2);
    }
  }

  @Test
  void config_withValuesThatMakeNoSense_namesThem() {
    Nodes.Config config = new Nodes.Config();
    config.seeds = List.of("127.0.0.1:7001");
    assertRefused(config, "must know its session");
    config.session = "a-session";
    config.controlPort = 7001;
    assertRefused(config, "127.0.0.1:7001 is this node");
    config.controlPort = 70_000;
    assertRefused(config, "0 to 65535, not 70000");
    config.controlPort = 7002;
    config.joinTimeout = Duration.ZERO;
    assertRefused(config, "the join timeout must be more than nothing, not PT0S");
    config.joinTimeout = Duration.ofSeconds(1);
    config.address = "somewhere";
    assertRefused(config, "the address of the services must be HOST:PORT");
    config.address = "somewhere:7000";
    config.controlHost = " ";
    assertRefused(config, "the control host must not be empty");
    config.controlHost = "127.0.0.1";
    assertThat(config.make().toString()).contains("a-session").doesNotContain(Nodes.TOKEN);
  }

  private static void assertRefused(Nodes.Config config, String why) {
    assertThatThrownBy(config::make)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  interface Condition {
    boolean holds();
  }

  static void await(String what, Condition condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("waiting for " + what).isLessThan(deadlineNs);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
