package io.aktis.simulation;

import io.aktis.core.link.Frame;
import io.aktis.core.link.ReliableLink;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A process that can be started, paused and killed. What it wants to do later happens in this life
 * of it or not at all; while it is paused, everything waits.
 */
abstract class LiveProcess {
  private final World world;
  private final Address address;
  private final Map<Address, Connection> connections = new LinkedHashMap<>();
  private int starts;
  private boolean alive;
  private long pausedUntilMs;
  private long diedAtMs;

  LiveProcess(World world, Address address) {
    this.world = world;
    this.address = address;
  }

  World world() {
    return world;
  }

  Address address() {
    return address;
  }

  long nowMs() {
    return world.nowMs();
  }

  boolean isAlive() {
    return alive;
  }

  /** Returns how often it was started. */
  int starts() {
    return starts;
  }

  /** Returns for how long it has been dead. */
  long deadForMs() {
    return alive ? 0 : nowMs() - diedAtMs;
  }

  void note(String what, Object... about) {
    world.history().note(nowMs(), address, what, about);
  }

  // ---- life -----------------------------------------------------------------------------------

  void start() {
    starts++;
    alive = true;
    note("starts, life", starts);
    started();
  }

  /** Dies at once, with all it had in memory. */
  void crash() {
    if (alive) {
      note("dies");
      alive = false;
      diedAtMs = nowMs();
      connections.clear();
      died();
    }
  }

  void pause(long forMs) {
    note("is paused for ms", forMs);
    pausedUntilMs = Math.max(pausedUntilMs, nowMs() + forMs);
  }

  void resume() {
    pausedUntilMs = nowMs();
  }

  /** Does something later, if it is still the same life then. */
  void after(long delayMs, Runnable action) {
    int life = starts;
    world.agenda().after(delayMs, () -> perform(life, action));
  }

  private void perform(int life, Runnable action) {
    if (!alive || starts != life) {
      return;
    }
    if (nowMs() < pausedUntilMs) {
      world.agenda().at(pausedUntilMs, () -> perform(life, action));
      return;
    }
    action.run();
    validate();
  }

  // ---- messages -------------------------------------------------------------------------------

  /** Returns the connection with another process, opened if need be. */
  Connection connect(Address other) {
    Connection known = connections.get(other);
    if (known != null) {
      return known;
    }
    ReliableLink<Message> link = new ReliableLink<>(Timing.LINK, starts * ReliableLink.LIVES);
    Connection connection = new Connection(this, other, link, world.tampering().wire(link));
    connections.put(other, connection);
    connection.open();
    return connection;
  }

  boolean isConnected(Address other) {
    Connection known = connections.get(other);
    return known != null && known.isUp();
  }

  /** Sends a message, unless the other is not there: then what it was about is void anyway. */
  void sendIfUp(Address other, Message message) {
    Connection known = connections.get(other);
    if (known != null && known.isUp()) {
      known.send(message);
    }
  }

  void transmit(Address to, Frame<Message> frame) {
    world.network().send(address, to, () -> world.process(to).arrived(address, frame));
  }

  private void arrived(Address from, Frame<Message> frame) {
    if (alive) {
      perform(starts, () -> connect(from).arrived(frame));
    }
  }

  /** Sends something that may get lost. */
  void gossip(Address to, Message message) {
    world
        .network()
        .send(
            address,
            to,
            () -> {
              LiveProcess there = world.process(to);
              if (there.alive) {
                there.perform(there.starts, () -> there.gossiped(address, message));
              }
            });
  }

  void deliver(Address from, Message message) {
    note("gets", message, "from", from);
    world.tally().count(message);
    received(from, message);
  }

  // ---- what processes do ----------------------------------------------------------------------

  abstract void started();

  abstract void died();

  abstract void received(Address from, Message message);

  abstract void gossiped(Address from, Message message);

  abstract void peerUp(Address other);

  abstract void peerDown(Address other);

  /** Checks what must hold between events. */
  abstract void validate();

  @Override
  public String toString() {
    return address.toString();
  }
}
