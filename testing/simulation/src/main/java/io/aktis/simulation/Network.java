package io.aktis.simulation;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Carries things between processes: late, twice, in another order, or never. */
final class Network {
  private final Agenda agenda;
  private final Random random;
  private final Set<Pair> cuts = new LinkedHashSet<>();
  private final Map<Address, Integer> slowMs = new LinkedHashMap<>();
  private Weather weather = Weather.CALM;

  /** A direction between two processes. */
  private record Pair(Address from, Address to) {}

  Network(Agenda agenda, Random random) {
    this.agenda = agenda;
    this.random = random;
  }

  void weather(Weather now) {
    weather = now;
  }

  /** Nothing gets from one to the other, in this direction. */
  void cut(Address from, Address to) {
    cuts.add(new Pair(from, to));
  }

  void heal(Address from, Address to) {
    cuts.remove(new Pair(from, to));
  }

  void healAll() {
    cuts.clear();
    slowMs.clear();
  }

  /** Everything from and to this process takes so much longer. */
  void slow(Address address, int ms) {
    slowMs.put(address, ms);
  }

  private boolean chance(int percent) {
    return percent > 0 && random.nextInt(100) < percent;
  }

  /** Sends something; {@code arrival} happens for each copy that gets through. */
  void send(Address from, Address to, Runnable arrival) {
    if (!cuts.isEmpty() && cuts.contains(new Pair(from, to))) {
      return;
    }
    int copies = chance(weather.lossPercent()) ? 0 : chance(weather.repeatPercent()) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      int mostMs = chance(weather.latePercent()) ? weather.lateMs() : weather.latencyMs();
      long latencyMs = 1L + random.nextInt(mostMs);
      if (!slowMs.isEmpty()) {
        latencyMs += slowMs.getOrDefault(from, 0) + slowMs.getOrDefault(to, 0);
      }
      agenda.after(latencyMs, arrival);
    }
  }
}
