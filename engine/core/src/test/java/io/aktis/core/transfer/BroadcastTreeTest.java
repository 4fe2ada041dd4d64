package io.aktis.core.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.transfer.BroadcastTree.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BroadcastTreeTest {
  private static final long ROOT = BroadcastTree.ROOT;

  private final BroadcastTree tree = new BroadcastTree(2);

  private Route joined(long reader) {
    List<Route> routes = tree.join(reader, true);
    assertThat(routes).hasSize(1);
    return routes.getFirst();
  }

  @Test
  void readers_ofOneObject_formATree() {
    assertThat(joined(1)).isEqualTo(new Route(1, ROOT));
    assertThat(joined(2)).isEqualTo(new Route(2, ROOT));
    assertThat(joined(3)).isEqualTo(new Route(3, 1));
    assertThat(joined(4)).isEqualTo(new Route(4, 1));
    assertThat(joined(5)).isEqualTo(new Route(5, 2));
    assertThat(tree.readers()).isEqualTo(5);
    assertThat(tree.holders()).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void reader_whichHasAll_makesRoomAndServesOn() {
    joined(1);
    joined(2);
    joined(3);
    assertThat(tree.done(1)).isEmpty();
    assertThat(tree.hasAll(1)).isTrue();
    assertThat(joined(4)).isEqualTo(new Route(4, ROOT));
    assertThat(joined(5)).isEqualTo(new Route(5, 1));
    assertThat(tree.holders()).first().isEqualTo(1L);
  }

  @Test
  void reader_whoseSourceFails_getsAnotherOne_butNoneThatWaitsForIt() {
    joined(1);
    joined(2);
    joined(3); // from 1
    joined(4); // from 1
    assertThat(tree.gone(2)).isEmpty();
    assertThat(tree.failed(1)).containsExactly(new Route(1, ROOT));
    assertThat(tree.failed(3)).containsExactly(new Route(3, ROOT));
    assertThat(tree.failed(4)).containsExactly(new Route(4, 3));
  }

  @Test
  void reader_whomNobodyHasRoomFor_waitsForRoom() {
    BroadcastTree narrow = new BroadcastTree(1);
    assertThat(narrow.join(1, false)).containsExactly(new Route(1, ROOT));
    assertThat(narrow.join(2, true)).isEmpty();
    assertThat(narrow.join(3, true)).isEmpty();
    assertThat(narrow.done(1)).containsExactly(new Route(2, ROOT), new Route(3, 2));
  }

  @Test
  void holder_whichHasDroppedItsCopy_isNoSourceForAnybodyAnyMore() {
    joined(1);
    joined(2);
    tree.done(1);
    joined(3);
    assertThat(joined(4)).isEqualTo(new Route(4, 1));
    assertThat(tree.failed(4)).containsExactly(new Route(4, 2));
    assertThat(tree.knows(1)).isFalse();
  }

  @Test
  void holder_whichReadsAgain_isNotSentToWhoStillReadsFromIt() {
    BroadcastTree narrow = new BroadcastTree(1);
    narrow.join(1, true);
    narrow.done(1);
    assertThat(narrow.join(2, false)).containsExactly(new Route(2, ROOT));
    assertThat(narrow.join(3, true)).containsExactly(new Route(3, 1));

    assertThat(narrow.joinAgain(4, true, 1)).as("it waits for the root, not for 3").isEmpty();
    assertThat(narrow.knows(1)).isFalse();
    assertThat(narrow.done(2)).containsExactly(new Route(4, ROOT));
    assertThat(narrow.failed(3)).as("as it was left by what is 4 now").isEmpty();
  }

  @Test
  void holder_whichOneHasFoundGone_isKnownUntilNobodyReadsFromIt() {
    joined(1);
    joined(2);
    tree.done(1);
    joined(3);
    assertThat(joined(4)).isEqualTo(new Route(4, 1));
    assertThat(joined(5)).isEqualTo(new Route(5, 1));

    assertThat(tree.failed(4)).containsExactly(new Route(4, 2));
    assertThat(tree.knows(1)).as("5 reads from it still").isTrue();
    assertThat(tree.holders()).doesNotContain(1L);
    assertThat(tree.failed(5)).containsExactly(new Route(5, 2));
    assertThat(tree.knows(1)).isFalse();
  }

  @Test
  void whatMakesNoSense_isRefusedOrIgnored() {
    joined(1);
    assertThatThrownBy(() -> tree.join(1, true)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> tree.join(ROOT, true)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new BroadcastTree(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(tree.failed(9)).isEmpty();
    assertThat(tree.done(9)).isEmpty();
    assertThat(tree.gone(ROOT)).isEmpty();
    tree.done(1);
    assertThat(tree.done(1)).isEmpty();
    assertThat(tree.failed(1)).isEmpty();
  }

  @Test
  void holders_ofAnObjectThatManyHaveRead_areBounded() {
    for (long reader = 1; reader <= 1_000; reader++) {
      joined(reader);
      tree.done(reader);
    }
    assertThat(tree.holders()).hasSizeLessThanOrEqualTo(32).contains(1_000L);
  }

  /** A world beside the tree that knows who reads from whom, and checks it after each step. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void tree_underAnyEvents_servesNoMoreThanItMay_withoutCycles_andLeavesNobodyWaiting(int width) {
    for (long seed = 0; seed < 300; seed++) {
      World world = new World(width, seed);
      for (int step = 0; step < 200; step++) {
        world.step();
      }
      world.finish();
    }
  }

  private static final class World {
    final int width;
    final Random random;
    final BroadcastTree tree;
    final Map<Long, Long> sources = new HashMap<>();
    final List<Long> reading = new ArrayList<>();
    final Set<Long> done = new HashSet<>();
    final String name;
    long last;

    World(int width, long seed) {
      this.width = width;
      this.random = new Random(seed);
      this.tree = new BroadcastTree(width);
      this.name = "width " + width + ", seed " + seed;
    }

    void step() {
      int kind = random.nextInt(11);
      if (kind == 10) {
        joinAgain();
      } else if (kind < 4 || reading.isEmpty()) {
        reading.add(++last);
        take(tree.join(last, random.nextInt(4) > 0));
      } else {
        long reader = reading.get(random.nextInt(reading.size()));
        if (kind < 7) {
          if (sources.remove(reader) != null) {
            take(tree.failed(reader));
          }
        } else if (kind < 9 && sources.containsKey(reader)) {
          complete(reader);
        } else {
          reading.remove(reader);
          sources.remove(reader);
          take(tree.gone(reader));
        }
      }
      check();
    }

    /** One that was cut off, or has dropped what it had, begins anew under another number. */
    void joinAgain() {
      List<Long> all = new ArrayList<>(reading);
      all.addAll(done);
      if (all.isEmpty()) {
        return;
      }
      long before = all.get(random.nextInt(all.size()));
      long now = ++last;
      reading.remove(before);
      done.remove(before);
      sources.remove(before);
      sources.replaceAll((reader, source) -> source == before ? now : source);
      reading.add(now);
      take(tree.joinAgain(now, true, before));
    }

    void complete(long reader) {
      reading.remove(reader);
      sources.remove(reader);
      done.add(reader);
      take(tree.done(reader));
    }

    void take(List<Route> routes) {
      for (Route route : routes) {
        assertThat(reading).as(name).contains(route.reader());
        assertThat(sources.put(route.reader(), route.source())).as(name).isNull();
      }
    }

    void check() {
      Map<Long, Integer> served = new HashMap<>();
      sources.values().forEach(source -> served.merge(source, 1, Integer::sum));
      assertThat(served.values()).as(name).allMatch(count -> count <= width);
      for (long reader : sources.keySet()) {
        Set<Long> seen = new HashSet<>();
        Long at = reader;
        while (at != null && !done.contains(at)) {
          assertThat(seen.add(at)).as(name + ": a cycle at " + at).isTrue();
          at = sources.get(at);
        }
      }
      assertThat(tree.readers()).as(name).isEqualTo(reading.size());
    }

    /** No more faults: all get it, one after the other. */
    void finish() {
      while (!reading.isEmpty()) {
        long reader =
            reading.stream()
                .filter(sources::containsKey)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + ": all wait: " + reading));
        complete(reader);
        check();
      }
    }
  }
}
