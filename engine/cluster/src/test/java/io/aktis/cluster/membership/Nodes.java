package io.aktis.cluster.membership;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.core.id.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The nodes of one test in this JVM, on loopback. Confined to the thread of the test. */
final class Nodes implements AutoCloseable {
  static final String TOKEN = "a-token";

  /** What a node of a test is made with; tests change what they are about. */
  static final class Config {
    NodeId id = new NodeId(ThreadLocalRandom.current().nextLong(), 1);
    String session = "";
    String token = TOKEN;
    String address = "127.0.0.1:7000";
    String controlHost = "127.0.0.1";
    int controlPort;
    List<String> seeds = List.of();
    String machineId = "this-machine";
    Duration joinTimeout = Duration.ofSeconds(30);
    Runnable onDowned =
        () -> {
          throw new AssertionError("this node was removed");
        };

    /** Of a node that joins the cluster of {@code seed}. */
    static Config joining(PekkoMembership seed) {
      Config config = new Config();
      config.session = seed.session();
      config.seeds = List.of(seed.controlAddress());
      return config;
    }

    MembershipConfig make() {
      return new MembershipConfig(
          id,
          session,
          token,
          address,
          controlHost,
          controlPort,
          seeds,
          machineId,
          seeds.isEmpty(),
          joinTimeout,
          onDowned,
          Optional.empty());
    }
  }

  private final List<PekkoMembership> started = new ArrayList<>();

  /** The first node of a cluster, its head. */
  PekkoMembership first() throws JoinException, InterruptedException {
    return start(new Config().make());
  }

  PekkoMembership join(PekkoMembership seed) throws JoinException, InterruptedException {
    return start(Config.joining(seed).make());
  }

  PekkoMembership start(MembershipConfig config) throws JoinException, InterruptedException {
    PekkoMembership node = PekkoMembership.start(config);
    started.add(node);
    return node;
  }

  static int port(PekkoMembership node) {
    return HostPort.parse("a port", node.controlAddress()).port();
  }

  @Override
  public void close() {
    started.reversed().forEach(PekkoMembership::close);
  }
}
