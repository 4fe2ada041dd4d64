package io.aktis.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The board of a test whose tasks run in its own JVM. */
final class MapSignalBoard implements SignalBoard {
  private record Door(CountDownLatch latch, AtomicInteger arrivals) {}

  private final Map<String, Door> doors = new ConcurrentHashMap<>();
  private final Map<String, List<String>> notes = new ConcurrentHashMap<>();

  @Override
  public void addGate(String gateId) {
    doors.put(gateId, new Door(new CountDownLatch(1), new AtomicInteger()));
  }

  @Override
  public void arrive(String gateId) {
    door(gateId).ifPresent(door -> door.arrivals().incrementAndGet());
  }

  @Override
  public int arrivals(String gateId) {
    return door(gateId).map(door -> door.arrivals().get()).orElse(0);
  }

  @Override
  public boolean awaitOpen(String gateId, Duration atMost) throws InterruptedException {
    Door door = doors.get(gateId);
    return door == null || door.latch().await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void open(String gateId) {
    door(gateId).ifPresent(door -> door.latch().countDown());
  }

  @Override
  public void note(String notesId, String line) {
    lines(notesId).add(line);
  }

  @Override
  public List<String> notes(String notesId) {
    return List.copyOf(lines(notesId));
  }

  @Override
  public void releaseAll() {
    doors.values().forEach(door -> door.latch().countDown());
    doors.clear();
    notes.clear();
  }

  private Optional<Door> door(String gateId) {
    return Optional.ofNullable(doors.get(gateId));
  }

  private List<String> lines(String notesId) {
    return notes.computeIfAbsent(notesId, _ -> new CopyOnWriteArrayList<>());
  }
}
