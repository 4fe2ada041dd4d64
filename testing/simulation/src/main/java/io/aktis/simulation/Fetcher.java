package io.aktis.simulation;

import io.aktis.core.id.ObjectId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gets values that lie elsewhere, and compares all values with the truth. */
final class Fetcher {
  private final LiveProcess here;
  private final Map<Long, Fetching> fetching = new LinkedHashMap<>();
  private long number;

  private record Fetching(Address from, Consumer<@Nullable Long> then) {}

  Fetcher(LiveProcess here) {
    this.here = here;
  }

  /**
   * Looks at values.
   *
   * @param local what is in the store here
   * @param seen is told whether all could be had
   */
  void look(List<Value> values, Map<ObjectId, Long> local, Consumer<Boolean> seen) {
    List<Value.Large> remote = new ArrayList<>();
    for (Value value : values) {
      switch (value) {
        case Value.Small small -> compare(small.id(), small.content());
        case Value.Large large when local.containsKey(large.id()) ->
            compare(large.id(), local.get(large.id()));
        case Value.Large large -> remote.add(large);
        case Value.Failed _ -> {}
        case Value.Gone _ -> {
          seen.accept(false);
          return;
        }
      }
    }
    fetchAll(remote, 0, seen);
  }

  private void fetchAll(List<Value.Large> remote, int from, Consumer<Boolean> seen) {
    if (from == remote.size()) {
      seen.accept(true);
      return;
    }
    Value.Large next = remote.get(from);
    fetch(
        Address.node((int) next.node().owner() - 1),
        next.id(),
        content -> {
          if (content == null) {
            seen.accept(false);
          } else {
            compare(next.id(), content);
            fetchAll(remote, from + 1, seen);
          }
        });
  }

  private void fetch(Address from, ObjectId object, Consumer<@Nullable Long> then) {
    if (from.equals(here.address())) {
      then.accept(null); // an earlier life of this node had it
      return;
    }
    long mine = ++number;
    fetching.put(mine, new Fetching(from, then));
    here.connect(from).send(new Message.Fetch(mine, object));
  }

  void fetched(Message.Fetched answer) {
    Fetching waiting = fetching.remove(answer.number());
    if (waiting != null) {
      waiting.then.accept(answer.content());
    }
  }

  /** Nothing will come from there. */
  void peerDown(Address other) {
    for (Map.Entry<Long, Fetching> entry : new ArrayList<>(fetching.entrySet())) {
      if (entry.getValue().from.equals(other)) {
        fetching.remove(entry.getKey());
        entry.getValue().then.accept(null);
      }
    }
  }

  private static void compare(ObjectId id, long content) {
    Violation.check(content == Value.truth(id), "a value is what was made", id, content);
  }
}
