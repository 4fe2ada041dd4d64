package io.aktis.cli;

import io.aktis.cluster.session.NodeLauncher.Tethered;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Kills nodes of a cluster, one after the other, and starts new ones in their place. The head is
 * left alone, for nodes cannot join without it. Confined to one thread.
 */
final class NodeKiller {
  private final LocalNodes cluster;
  private final int count;
  private final Duration every;
  private final Random random;
  private final Consumer<String> teller;
  private long nextNs;

  /**
   * Makes a killer, which kills nothing by itself.
   *
   * @param cluster all of whose nodes are there
   * @param every how long it waits, from one start to the next kill
   * @param seed chooses the nodes
   * @param teller is told what was done
   */
  NodeKiller(LocalNodes cluster, Duration every, long seed, Consumer<String> teller) {
    this.cluster = cluster;
    this.count = cluster.all().size();
    this.every = every;
    this.random = new Random(seed);
    this.teller = teller;
    this.nextNs = System.nanoTime() + every.toNanos();
  }

  /** Returns how long to wait before {@link #killOne}. */
  long waitNs() {
    return Math.max(0, nextNs - System.nanoTime());
  }

  /** Kills a node and starts one in its place; more, when starts have failed before. */
  void killOne() throws InterruptedException {
    List<Tethered> others = cluster.all().subList(1, cluster.all().size());
    if (!others.isEmpty()) {
      Tethered victim = others.get(random.nextInt(others.size()));
      cluster.kill(victim);
      teller.accept("killed   " + name(victim));
    }
    try {
      while (cluster.all().size() < count) {
        teller.accept("started  " + name(cluster.startOne()));
      }
    } catch (IllegalStateException e) {
      if (cluster.isUp()) {
        teller.accept("could not start a node in its place: " + e.getMessage());
      }
    }
    nextNs = System.nanoTime() + every.toNanos();
  }

  static String name(Tethered node) {
    return node.node().ready().nodeId() + " at " + node.node().ready().address();
  }
}
