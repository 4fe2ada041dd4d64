package io.aktis.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Two ends of a link and a network between them that loses, repeats and reorders, in one thread
 * from a seed. What one end delivers is checked against what the other sent.
 */
final class LinkWorld {
  static final LinkLimits LIMITS = new LinkLimits(20, 160, 40, 400, 8, 200);

  private final Random random;
  private final TreeMap<Long, ArrayDeque<Runnable>> agenda = new TreeMap<>();
  final End a = new End("a");
  final End b = new End("b");
  long nowMs;

  /** How many of a hundred frames are lost, come twice, come late. */
  int lossPercent;

  int repeatPercent;
  int latePercent;

  /** Whether nothing gets through from a to b, from b to a. */
  boolean cutToB;

  boolean cutToA;

  LinkWorld(long seed) {
    random = new Random(seed);
    a.other = b;
    b.other = a;
    a.start();
    b.start();
  }

  void faulty(int loss, int repeat, int late) {
    lossPercent = loss;
    repeatPercent = repeat;
    latePercent = late;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private void at(long timeMs, Runnable what) {
    agenda.computeIfAbsent(timeMs, ignored -> new ArrayDeque<>()).add(what);
  }

  void run(long forMs) {
    long endMs = nowMs + forMs;
    while (!agenda.isEmpty() && agenda.firstKey() <= endMs) {
      nowMs = agenda.firstKey();
      ArrayDeque<Runnable> due = agenda.firstEntry().getValue();
      Runnable next = due.remove();
      if (due.isEmpty()) {
        agenda.remove(nowMs);
      }
      next.run();
    }
    nowMs = endMs;
  }

  /** One of the two processes; restarts are lives of the same end. */
  final class End {
    final String name;
    End other;
    ReliableLink<String> link;
    private int starts;
    private int sent;

    /** What was delivered here, by the lives of both ends. */
    final Map<String, List<String>> delivered = new LinkedHashMap<>();

    /** What was sent here, by the lives of both ends at that time. */
    final List<String> log = new ArrayList<>();

    private End(String name) {
      this.name = name;
    }

    void start() {
      starts++;
      link = new ReliableLink<>(LIMITS, starts * ReliableLink.LIVES);
      tell(new LinkEvent.Opened<>(nowMs));
    }

    String send() {
      String message = name + starts + "#" + ++sent;
      tell(new LinkEvent.Send<>(message, nowMs));
      return message;
    }

    void down() {
      tell(new LinkEvent.PeerDown<>(nowMs));
    }

    private void tell(LinkEvent<String> event) {
      List<LinkEffect<String>> effects = new ArrayList<>();
      link.on(event, effects::add);
      link.validate();
      for (LinkEffect<String> effect : effects) {
        carryOut(effect);
      }
    }

    private void carryOut(LinkEffect<String> effect) {
      ReliableLink<String> life = link;
      switch (effect) {
        case LinkEffect.Transmit<String>(Frame<String> frame) -> transmit(frame);
        case LinkEffect.Deliver<String>(String message) -> {
          String pair = link.peerIncarnation() + "->" + link.incarnation();
          delivered.computeIfAbsent(pair, key -> new ArrayList<>()).add(message);
        }
        case LinkEffect.StartTimer<String>(long delayMs) ->
            at(
                nowMs + delayMs,
                () -> {
                  if (link == life) {
                    tell(new LinkEvent.Tick<>(nowMs));
                  }
                });
        case LinkEffect.PeerUp<String> up -> log.add("up");
        case LinkEffect.PeerRestarted<String> restarted -> log.add("restarted");
        case LinkEffect.PeerLost<String> lost -> log.add("lost " + lost.reason());
      }
    }

    private void transmit(Frame<String> frame) {
      if (this == a ? cutToB : cutToA) {
        return;
      }
      int copies = chance(lossPercent) ? 0 : chance(repeatPercent) ? 2 : 1;
      for (int i = 0; i < copies; i++) {
        long latency = 1L + random.nextInt(chance(latePercent) ? 300 : 5);
        at(nowMs + latency, () -> other.tell(new LinkEvent.Received<>(frame, nowMs)));
      }
    }

    List<String> allDelivered() {
      return delivered.values().stream().flatMap(List::stream).toList();
    }

    /** Each message once, those of one pair of lives in the order of sending and without gaps. */
    void check() {
      assertThat(allDelivered()).doesNotHaveDuplicates();
      delivered
          .values()
          .forEach(messages -> {
            long last = 0;
            String sender = messages.getFirst().split("#")[0];
            for (String message : messages) {
              assertThat(message).startsWith(sender + "#");
              long number = Long.parseLong(message.split("#")[1]);
              assertThat(number == last + 1 || last == 0).as("gap in %s", messages).isTrue();
              last = number;
            }
          });
    }
  }
}
