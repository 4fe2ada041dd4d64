package io.aktis.simulation;

import java.util.List;
import java.util.Random;

/** What goes wrong in a world, up to the time when faults stop. */
final class Faults {
  private final World world;
  private final Random random;

  Faults(World world) {
    this.world = world;
    this.random = world.random();
  }

  /** Plans what goes wrong. */
  void plan() {
    world.network().weather(Weather.any(random));
    int count = random.nextInt(4) == 0 ? 0 : random.nextInt(random.nextInt(3) == 0 ? 50 : 15);
    for (int i = 0; i < count; i++) {
      long atMs = 300L + random.nextInt((int) Timing.FAULTS_END - 1_500);
      world.agenda().at(atMs, this::any);
    }
    if (random.nextInt(4) == 0) {
      NodeProcess node = any(world.nodes());
      world.network().slow(node.address(), random.nextInt(120));
    }
    if (random.nextInt(8) == 0) {
      OwnerProcess owner = any(world.owners());
      world.agenda().at(1_000 + random.nextInt(6_000), owner::crash);
    }
    world.agenda().at(Timing.FAULTS_END, this::stop);
  }

  private <T> T any(List<T> those) {
    return those.get(random.nextInt(those.size()));
  }

  private void any() {
    world.tally().count("Fault");
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> crashNode();
      case 3, 4 -> cut();
      case 5 -> any(world.processes()).pause(random.nextInt(2_500));
      case 6, 7 -> any(world.nodes()).loseWorker(random.nextInt(100));
      case 8 -> crashHead();
      default -> world.network().weather(Weather.any(random));
    }
  }

  private void crashNode() {
    NodeProcess node = any(world.nodes());
    if (node.isAlive()) {
      node.crash();
      world.agenda().after(50 + random.nextInt(3_000), () -> restart(node));
    }
  }

  private void crashHead() {
    world.head().crash();
    world.agenda().after(50 + random.nextInt(2_000), () -> restart(world.head()));
  }

  private static void restart(LiveProcess process) {
    if (!process.isAlive()) {
      process.start();
    }
  }

  /** Two processes do not hear each other for a while, or only one does not. */
  private void cut() {
    Address one = any(world.processes()).address();
    Address other = any(world.processes()).address();
    boolean both = random.nextInt(3) != 0;
    world.history().note(world.nowMs(), one, both ? "is cut off from" : "is not heard by", other);
    world.network().cut(one, other);
    if (both) {
      world.network().cut(other, one);
    }
    world
        .agenda()
        .after(
            100 + random.nextInt(3_000),
            () -> {
              world.network().heal(one, other);
              world.network().heal(other, one);
            });
  }

  /** From here on nothing goes wrong any more. */
  private void stop() {
    world.history().note(world.nowMs(), "world", "is well again");
    world.network().weather(Weather.CALM);
    world.network().healAll();
    for (LiveProcess process : world.processes()) {
      process.resume();
      if (process.address().kind() != Address.Kind.OWNER) {
        restart(process);
      }
    }
  }
}
