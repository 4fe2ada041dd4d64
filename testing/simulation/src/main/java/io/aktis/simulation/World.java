package io.aktis.simulation;

import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** All processes, the network between them, and the clock. */
final class World {
  /** Where the numbers of values begin that are put by code at workers. */
  private static final long FIRST_PUT = 1L << 38;

  private static final int MAX_TASKS = 240;

  private final Tampering tampering;
  private final Random random;
  private final Agenda agenda = new Agenda();
  private final History history = new History();
  private final Witness witness = new Witness();
  private final Tally tally = new Tally();
  private final Network network;
  private final Map<Address, LiveProcess> processes = new LinkedHashMap<>();
  private final HeadProcess head;
  private final List<NodeProcess> nodes = new ArrayList<>();
  private final List<OwnerProcess> owners = new ArrayList<>();
  private long puts;

  World(long seed, Tampering tampering) {
    this.tampering = tampering;
    this.random = new Random(seed * 0x9e3779b97f4a7c15L + 1);
    this.network = new Network(agenda, random);
    this.head = new HeadProcess(this);
    add(head);
    int nodeCount = 1 + random.nextInt(5);
    for (int i = 0; i < nodeCount; i++) {
      NodeProcess node = new NodeProcess(this, i, 1 + random.nextInt(4));
      nodes.add(node);
      add(node);
    }
    int ownerCount = 1 + random.nextInt(3) % 2 + random.nextInt(8) / 7;
    for (int i = 0; i < ownerCount; i++) {
      Script program = new Programmer(random, nodeCount, MAX_TASKS / ownerCount).driver();
      boolean hurried = random.nextInt(6) == 0;
      long maxLineageBytes = random.nextInt(4) == 0 ? 5_000 : 1_000_000;
      OwnerProcess owner = new OwnerProcess(this, i, program, hurried, maxLineageBytes);
      owners.add(owner);
      add(owner);
    }
  }

  private void add(LiveProcess process) {
    processes.put(process.address(), process);
  }

  void start() {
    processes.values().forEach(LiveProcess::start);
  }

  Tampering tampering() {
    return tampering;
  }

  Random random() {
    return random;
  }

  Agenda agenda() {
    return agenda;
  }

  History history() {
    return history;
  }

  Tally tally() {
    return tally;
  }

  Witness witness() {
    return witness;
  }

  Network network() {
    return network;
  }

  long nowMs() {
    return agenda.nowMs();
  }

  LiveProcess process(Address address) {
    return Objects.requireNonNull(processes.get(address), address::toString);
  }

  List<LiveProcess> processes() {
    return new ArrayList<>(processes.values());
  }

  HeadProcess head() {
    return head;
  }

  List<NodeProcess> nodes() {
    return nodes;
  }

  List<OwnerProcess> owners() {
    return owners;
  }

  /** Returns a name for a value that some code of this owner puts. */
  ObjectId nextPut(long owner) {
    return TaskId.of(owner, FIRST_PUT + ++puts).result(0);
  }

  /** Returns what keeps the world from being over: empty when all is quiet and nothing is left. */
  List<String> leftovers() {
    List<String> left = new ArrayList<>();
    for (OwnerProcess owner : owners) {
      addIf(left, owner.isAlive() ? owner.leftover() : null);
    }
    for (NodeProcess node : nodes) {
      addIf(left, node.leftover());
    }
    addIf(left, head.leftover());
    return left;
  }

  private static void addIf(List<String> left, @org.jspecify.annotations.Nullable String what) {
    if (what != null) {
      left.add(what);
    }
  }
}
