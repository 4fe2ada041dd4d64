package io.aktis.testkit;

import io.aktis.cluster.session.NodeDirectory;
import io.aktis.testkit.HostAgent.Answer;
import io.aktis.testkit.HostAgent.Order;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs nodes on hosts of a {@link HostNetwork}, which this process reaches over that network only:
 * it shares no memory with them and has the token of their clusters, as a program on another
 * machine would. What it looks at besides, such as their processes and files, is for tests. All of
 * it ends with this JVM. Thread-safe.
 */
final class NamespaceHosts implements NodeHosts {
  /** A cluster of more nodes has several of them on a host. */
  private static final int HOSTS = 3;

  private final HostNetwork network;
  private final String ownAddress;
  private final List<Agent> agents = new ArrayList<>();

  private NamespaceHosts(HostNetwork network) {
    this.network = network;
    this.ownAddress = network.joinThisMachine();
  }

  /**
   * Makes the hosts.
   *
   * @throws IllegalStateException when they cannot be made here; the message says why
   */
  static NamespaceHosts make(TestHome home) {
    String obstacle = HostNetwork.obstacle();
    if (!obstacle.isEmpty()) {
      throw new IllegalStateException(obstacle);
    }
    NamespaceHosts hosts = new NamespaceHosts(HostNetwork.make(HOSTS));
    hosts.startAgents(home);
    return hosts;
  }

  private void startAgents(TestHome home) {
    for (int number = 1; number <= HOSTS; number++) {
      agents.add(Agent.start(network, number, home));
    }
  }

  @Override
  public String boardHost() {
    return ownAddress;
  }

  private Agent agent(int number) {
    return agents.get(number % HOSTS);
  }

  @Override
  public Running start(Wanted node) {
    Answer answer = agent(node.number()).carryOut(new Order.Start(node));
    ProcessHandle daemon =
        ProcessHandle.of(answer.pid())
            .orElseThrow(() ->
                new IllegalStateException(
                    "node " + answer.id() + " ended as soon as it was there"));
    return new Running(
        answer.id(), answer.address(), daemon, new NodeDirectory(Path.of(answer.directory())));
  }

  /** Ends the head, which is the first one, after the others. */
  @Override
  public void stop(List<Running> nodes) {
    Map<Agent, List<String>> byAgent = new LinkedHashMap<>();
    for (Running node : nodes.reversed()) {
      byAgent
          .computeIfAbsent(agentOf(node), _ -> new ArrayList<>())
          .add(node.directory().path().toString());
    }
    byAgent.forEach((agent, directories) -> agent.carryOut(new Order.Stop(directories)));
  }

  private Agent agentOf(Running node) {
    return agents.stream()
        .filter(agent -> node.directory().path().startsWith(agent.home()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(node + " is on none of these hosts"));
  }

  /** The way to a {@link HostAgent}. */
  private record Agent(Path home, ObjectOutputStream orders, ObjectInputStream answers) {
    static Agent start(HostNetwork network, int number, TestHome common) {
      try {
        Path home = Files.createTempDirectory("aktis-test-host" + number).toRealPath();
        List<String> line = new ArrayList<>(network.on(number));
        line.addAll(ProcessGuard.command(home, HostAgent.class));
        line.add(network.address(number));
        line.add(common.token().toString());
        line.add(common.tlsDir().map(Path::toString).orElse(""));
        Process process =
            new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        ProcessGuard.endWithThisJvm(process);
        ObjectOutputStream orders = new ObjectOutputStream(process.getOutputStream());
        orders.flush();
        return new Agent(home, orders, new ObjectInputStream(process.getInputStream()));
      } catch (IOException e) {
        throw new UncheckedIOException("host " + number + " of the tests cannot be used", e);
      }
    }

    Answer carryOut(Order order) {
      try {
        synchronized (orders) {
          orders.writeObject(order);
          orders.flush();
          Answer answer = (Answer) answers.readObject();
          if (!answer.problem().isEmpty()) {
            throw new IllegalStateException(answer.problem());
          }
          return answer;
        }
      } catch (IOException | ClassNotFoundException e) {
        throw new IllegalStateException("a host of the tests does not answer to " + order, e);
      }
    }
  }
}
