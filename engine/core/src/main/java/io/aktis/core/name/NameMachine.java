package io.aktis.core.name;

import io.aktis.core.invariant.Invariant;
import io.aktis.core.name.NameAnswer.Absent;
import io.aktis.core.name.NameAnswer.Done;
import io.aktis.core.name.NameAnswer.Held;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The directory of names, at the head of a cluster. Confined to the loop that hosts it.
 *
 * <p>It is a view: each owner knows the names of its actors itself, and tells them again to a new
 * directory. So nothing is kept on disk. For a while after its start a directory cannot know
 * whether a name that it has not heard of is free; requests that depend on it wait until then. An
 * owner that tells a name again that somebody else has got meanwhile is answered who that is.
 */
public final class NameMachine {
  private final long settledAtMs;
  private final Map<Name, Held> names = new LinkedHashMap<>();
  private final Map<Long, Set<Name>> byOwner = new LinkedHashMap<>();

  /** What waits for all owners to have told their names. */
  private final List<NameEvent> waiting = new ArrayList<>();

  private boolean settled;

  /**
   * Makes a directory without names.
   *
   * @param settledAtMs when all owners have had the time to tell their names; in the past for the
   *     first directory of a cluster
   */
  public NameMachine(long settledAtMs) {
    this.settledAtMs = settledAtMs;
  }

  /** Takes in what happened; {@code effects} are to be carried out in their order. */
  public void on(NameEvent event, long nowMs, Consumer<? super NameEffect> effects) {
    settle(nowMs, effects);
    handle(event, effects);
  }

  private void settle(long nowMs, Consumer<? super NameEffect> effects) {
    if (settled || nowMs < settledAtMs) {
      return;
    }
    settled = true;
    waiting.forEach(event -> handle(event, effects));
    waiting.clear();
  }

  private void handle(NameEvent event, Consumer<? super NameEffect> effects) {
    switch (event) {
      case NameEvent.Claimed claim -> claimed(claim, effects);
      case NameEvent.Forgotten gone -> {
        forget(gone.name(), gone.owner(), gone.number());
        answer(gone.owner(), gone.request(), new Done(), effects);
      }
      case NameEvent.Asked asked -> asked(asked, effects);
      case NameEvent.OwnerGone(long owner) -> {
        Set<Name> own = byOwner.remove(owner);
        if (own != null) {
          own.forEach(names::remove);
        }
        waiting.removeIf(each -> ownerOf(each) == owner);
      }
      case NameEvent.Tick _ -> {}
    }
  }

  private void claimed(NameEvent.Claimed claim, Consumer<? super NameEffect> effects) {
    Held there = names.get(claim.name());
    if (there == null && !settled && !claim.again()) {
      waiting.add(claim);
      return;
    }
    if (there != null && !isOf(there, claim.owner(), claim.number())) {
      answer(claim.owner(), claim.request(), there, effects);
      return;
    }
    names.put(claim.name(), new Held(claim.owner(), claim.number()));
    byOwner.computeIfAbsent(claim.owner(), ignored -> new LinkedHashSet<>()).add(claim.name());
    answer(claim.owner(), claim.request(), new Done(), effects);
    if (!settled) {
      answerThoseWhoAsked(claim.name(), effects);
    }
  }

  private void answerThoseWhoAsked(Name name, Consumer<? super NameEffect> effects) {
    List<NameEvent> now = waiting.stream().filter(event -> name.equals(nameOf(event))).toList();
    waiting.removeAll(now);
    now.forEach(event -> handle(event, effects));
  }

  private void asked(NameEvent.Asked asked, Consumer<? super NameEffect> effects) {
    Held there = names.get(asked.name());
    if (there == null && !settled) {
      waiting.add(asked);
      return;
    }
    NameAnswer answer = there == null ? new Absent(namespacesOf(asked.name())) : there;
    answer(asked.owner(), asked.request(), answer, effects);
  }

  private List<String> namespacesOf(Name name) {
    return names.keySet().stream()
        .filter(each -> each.kind() == name.kind() && each.name().equals(name.name()))
        .map(Name::namespace)
        .sorted()
        .toList();
  }

  private void forget(Name name, long owner, long number) {
    Held there = names.get(name);
    if (there == null || !isOf(there, owner, number)) {
      return; // it was never told here, or is somebody else's
    }
    names.remove(name);
    Set<Name> own = byOwner.get(owner);
    if (own != null && own.remove(name) && own.isEmpty()) {
      byOwner.remove(owner);
    }
  }

  private static boolean isOf(Held held, long owner, long number) {
    return held.owner() == owner && held.number() == number;
  }

  private static long ownerOf(NameEvent event) {
    return switch (event) {
      case NameEvent.Claimed claim -> claim.owner();
      case NameEvent.Asked asked -> asked.owner();
      case NameEvent.Forgotten gone -> gone.owner();
      case NameEvent.OwnerGone(long owner) -> owner;
      case NameEvent.Tick _ -> 0;
    };
  }

  private static @Nullable Name nameOf(NameEvent event) {
    return switch (event) {
      case NameEvent.Claimed claim -> claim.name();
      case NameEvent.Asked asked -> asked.name();
      default -> null;
    };
  }

  private static void answer(
      long owner, long request, NameAnswer answer, Consumer<? super NameEffect> effects) {
    effects.accept(new NameEffect.Answer(owner, request, answer));
  }

  /** Returns all names and whose they are; a copy. For diagnosis. */
  public Map<Name, Held> all() {
    return new LinkedHashMap<>(names);
  }

  /** Checks every rule; for tests and diagnosis. */
  public void validate() {
    long counted = byOwner.values().stream().mapToLong(Set::size).sum();
    Invariant.check(counted == names.size(), "each name has one owner", counted);
    names.forEach((name, held) -> {
      Set<Name> own = byOwner.get(held.owner());
      Invariant.check(own != null && own.contains(name), "an owner knows its names", name);
    });
    byOwner.forEach((owner, own) -> Invariant.check(!own.isEmpty(), "who has none is gone", owner));
    Invariant.check(!settled || waiting.isEmpty(), "nobody waits without need", waiting);
  }
}
