package io.aktis.testkit;

import io.aktis.cluster.session.NodeDirectory;
import io.aktis.testkit.NodeHosts.Running;
import io.aktis.testkit.NodeHosts.Wanted;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;

/**
 * The process of a host of tests that starts and ends nodes there. It does what its standard input
 * says, answers on its standard output, and ends all nodes when its input ends, which comes with
 * the end of the JVM of the tests.
 */
final class HostAgent {
  private HostAgent() {}

  /** What the agent is told to do. */
  sealed interface Order extends Serializable {
    /** Start a node. */
    record Start(Wanted node) implements Order {}

    /** End the nodes that have these directories. */
    record Stop(List<String> directories) implements Order {}
  }

  /**
   * What became of an order.
   *
   * @param problem why it could not be done; empty when it was
   * @param id of a started node
   * @param address of a started node
   * @param pid of the daemon of a started node
   * @param directory of a started node
   */
  record Answer(String problem, String id, String address, long pid, String directory)
      implements Serializable {
    static Answer done() {
      return problem("");
    }

    static Answer problem(String problem) {
      return new Answer(problem, "", "", 0, "");
    }
  }

  /**
   * Runs the agent.
   *
   * @param arguments the address of this host, the file with the token, and the directory with the
   *     certificates, empty for no TLS
   */
  public static void main(String[] arguments)
      throws IOException, ClassNotFoundException, InterruptedException {
    ObjectOutputStream out = new ObjectOutputStream(System.out);
    System.setOut(new PrintStream(System.err, true)); // the other one is for answers alone
    out.flush();
    ThisMachine machine =
        new ThisMachine(
            new ThisMachine.Network(
                arguments[0],
                Path.of(arguments[1]),
                arguments[2].isEmpty() ? null : Path.of(arguments[2])));
    try (ObjectInputStream in = new ObjectInputStream(System.in)) {
      while (true) {
        out.writeObject(carryOut((Order) in.readObject(), machine));
        out.flush();
      }
    } catch (EOFException end) {
      // the tests are over
    } finally {
      ProcessGuard.endAll();
    }
  }

  private static Answer carryOut(Order order, ThisMachine machine) {
    try {
      return switch (order) {
        case Order.Start(Wanted wanted) -> {
          Running node = machine.start(wanted);
          yield new Answer(
              "",
              node.id(),
              node.address(),
              node.process().pid(),
              node.directory().path().toString());
        }
        case Order.Stop(List<String> directories) -> {
          machine.stopAt(
              directories.stream().map(path -> new NodeDirectory(Path.of(path))).toList());
          yield Answer.done();
        }
      };
    } catch (IllegalStateException | IllegalArgumentException e) {
      return Answer.problem(String.valueOf(e.getMessage()));
    }
  }
}
