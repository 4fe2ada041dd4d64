package io.aktis.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Writes a random program, that of the driver with all that it submits. */
final class Programmer {
  private static final int MAX_DEPTH = 3;

  private final Random random;
  private final int nodes;
  private final List<Boolean> actorsThere = new ArrayList<>();
  private final List<Boolean> groupsThere = new ArrayList<>();
  private final List<Integer> bundleCounts = new ArrayList<>();
  private final int largePercent;
  private final int callPercent;
  private final int groupPercent;
  private final int cancelPercent;
  private int names;
  private int tasksLeft;

  Programmer(Random random, int nodes, int maxTasks) {
    this.random = random;
    this.nodes = nodes;
    this.tasksLeft = maxTasks;
    // What a program is mostly about differs from one to the next.
    this.largePercent = anyOf(10, 30, 80);
    this.callPercent = anyOf(0, 20, 60);
    this.groupPercent = anyOf(0, 20, 70);
    this.cancelPercent = anyOf(5, 30, 60);
  }

  private int anyOf(int... those) {
    return those[random.nextInt(those.length)];
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** The references that code has while it is written. */
  private static final class Refs {
    int count;

    /** Those that are open. */
    final TreeSet<Integer> open = new TreeSet<>();

    /** Those that were waited for, so that what they contain is known. */
    final List<Integer> there = new ArrayList<>();

    void add(int more) {
      for (int i = 0; i < more; i++) {
        open.add(count++);
      }
    }
  }

  // ---- the driver -----------------------------------------------------------------------------

  Script driver() {
    List<Step> steps = new ArrayList<>();
    Refs refs = new Refs();
    int length = 30 + random.nextInt(90);
    int paceMs = 1 + random.nextInt(2 * (int) Timing.FAULTS_END / length);
    for (int i = 0; i < length; i++) {
      driverStep(steps, refs);
      steps.add(new Step.Work(random.nextInt(paceMs)));
    }
    return new Script(steps, List.of(), 0, false, false, true, false);
  }

  private void driverStep(List<Step> steps, Refs refs) {
    switch (random.nextInt(20)) {
      case 0 -> newActor(steps, refs);
      case 1 -> newGroup(steps);
      case 2 -> removeGroup(steps);
      case 3 -> endActor(steps);
      case 4 -> burst(steps, refs);
      default -> commonStep(steps, refs, 0);
    }
  }

  /** Many short tasks of one shape, so that some are sent ahead. */
  private void burst(List<Step> steps, Refs refs) {
    for (int i = 10 + random.nextInt(20); i > 0 && tasksLeft > 0; i--) {
      tasksLeft--;
      Script script =
          new Script(
              List.of(),
              List.of(new Script.Result(false, List.of())),
              0,
              false,
              false,
              false,
              false);
      steps.add(
          new Step.Spawn(new TaskSpec(name("short"), script, List.of(), 3, 0, Needs.ONE_CPU)));
      refs.add(1);
    }
  }

  private void newActor(List<Step> steps, Refs refs) {
    boolean failing = random.nextInt(12) == 0;
    Script constructor =
        new Script(
            List.of(new Step.Work(random.nextInt(60))),
            List.of(new Script.Result(false, List.of())),
            failing ? Script.ALWAYS : 0,
            false,
            false,
            false,
            false);
    // One that runs several calls at a time lends no CPU while they wait, so it may hold none here.
    boolean ordered = random.nextInt(4) != 0;
    boolean holds = ordered && random.nextInt(2) == 0;
    Needs needs = !holds ? Needs.ACTOR : random.nextInt(3) == 0 ? Needs.ONE_CPU : needs(false);
    steps.add(
        new Step.NewActor(
            new ActorSpec(
                name("actor"),
                ordered,
                random.nextInt(3),
                needs,
                constructor,
                some(refs, random.nextInt(5) == 0 ? 1 : 0))));
    actorsThere.add(true);
  }

  private void endActor(List<Step> steps) {
    int actor = any(actorsThere);
    if (actor >= 0 && random.nextInt(3) == 0) {
      actorsThere.set(actor, false);
      steps.add(random.nextBoolean() ? new Step.ReleaseActor(actor) : new Step.KillActor(actor));
    }
  }

  private void newGroup(List<Step> steps) {
    List<Integer> bundles = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      bundles.add(1 + random.nextInt(2));
    }
    steps.add(new Step.NewGroup(bundles, random.nextInt(4)));
    groupsThere.add(true);
    bundleCounts.add(bundles.size());
    if (random.nextInt(3) == 0) {
      steps.add(new Step.AwaitGroup(groupsThere.size() - 1));
    }
  }

  private void removeGroup(List<Step> steps) {
    int group = any(groupsThere);
    if (group >= 0) {
      groupsThere.set(group, false);
      steps.add(new Step.RemoveGroup(group));
    }
  }

  /** Returns one that is there, or -1. */
  private int any(List<Boolean> there) {
    int start = there.isEmpty() ? 0 : random.nextInt(there.size());
    for (int i = 0; i < there.size(); i++) {
      int index = (start + i) % there.size();
      if (there.get(index)) {
        return index;
      }
    }
    return -1;
  }

  // ---- all code -------------------------------------------------------------------------------

  private void commonStep(List<Step> steps, Refs refs, int depth) {
    switch (random.nextInt(14)) {
      case 0, 1, 2, 3, 4, 5 -> {
        if (chance(callPercent)) {
          call(steps, refs, depth);
        } else {
          spawn(steps, refs, depth);
        }
      }
      case 6 -> put(steps, refs);
      case 7, 8, 9 -> await(steps, refs);
      case 10 -> drop(steps, refs);
      case 11 -> cancel(steps, refs);
      case 12 -> awaitInside(steps, refs);
      default -> steps.add(work());
    }
  }

  private Step work() {
    return new Step.Work(1L + random.nextInt(random.nextInt(4) == 0 ? 600 : 60));
  }

  private void spawn(List<Step> steps, Refs refs, int depth) {
    if (tasksLeft > 0 && depth < MAX_DEPTH) {
      TaskSpec task = task(name("task"), refs, depth, needs(true));
      steps.add(new Step.Spawn(task));
      refs.add(task.script().results().size());
    }
  }

  private void call(List<Step> steps, Refs refs, int depth) {
    int actor = any(actorsThere);
    if (actor >= 0 && tasksLeft > 0 && depth < MAX_DEPTH) {
      TaskSpec call = task(name("call"), refs, depth, Needs.ACTOR);
      steps.add(new Step.Call(actor, call));
      refs.add(call.script().results().size());
    }
  }

  private TaskSpec task(String name, Refs refs, int depth, Needs needs) {
    tasksLeft--;
    List<Integer> args = some(refs, random.nextInt(3));
    long timeoutMs = random.nextInt(20) == 0 ? 100 + random.nextInt(1_000) : 0;
    return new TaskSpec(name, script(depth + 1), args, random.nextInt(4), timeoutMs, needs);
  }

  private Script script(int depth) {
    List<Step> steps = new ArrayList<>();
    Refs refs = new Refs();
    int length = random.nextInt(depth == 1 ? 7 : 5);
    for (int i = 0; i < length; i++) {
      commonStep(steps, refs, depth);
    }
    if (random.nextInt(3) == 0) {
      steps.add(work());
    }
    List<Script.Result> results = new ArrayList<>();
    for (int i = random.nextInt(5) == 0 ? 2 : 1; i > 0; i--) {
      List<Integer> contained = random.nextInt(4) == 0 ? some(refs, 2) : List.of();
      results.add(new Script.Result(chance(largePercent), contained));
    }
    int failures =
        switch (random.nextInt(12)) {
          case 0 -> Script.ALWAYS;
          case 1 -> 1 + random.nextInt(3);
          default -> 0;
        };
    return new Script(
        steps,
        results,
        failures,
        random.nextInt(3) != 0,
        random.nextInt(5) == 0,
        random.nextBoolean(),
        random.nextInt(40) == 0);
  }

  private void put(List<Step> steps, Refs refs) {
    List<Integer> contained = random.nextInt(3) == 0 ? some(refs, 2) : List.of();
    steps.add(new Step.Put(chance(largePercent), contained));
    refs.add(1);
  }

  private void await(List<Step> steps, Refs refs) {
    List<Integer> wanted = some(refs, 1 + random.nextInt(4));
    if (!wanted.isEmpty()) {
      boolean all = random.nextInt(4) != 0;
      steps.add(new Step.Await(wanted, all));
      if (all) {
        refs.there.addAll(wanted);
      }
    }
  }

  private void awaitInside(List<Step> steps, Refs refs) {
    List<Integer> known = refs.there.stream().filter(refs.open::contains).toList();
    if (!known.isEmpty()) {
      steps.add(new Step.AwaitInside(known.get(random.nextInt(known.size()))));
    }
  }

  private void drop(List<Step> steps, Refs refs) {
    for (int ref : some(refs, 1)) {
      refs.open.remove(ref);
      steps.add(new Step.Drop(ref));
    }
  }

  private void cancel(List<Step> steps, Refs refs) {
    if (chance(cancelPercent)) {
      for (int ref : some(refs, 1)) {
        steps.add(new Step.Cancel(ref, random.nextInt(4) != 0, random.nextInt(3) == 0));
      }
    }
  }

  /** Returns up to so many open references, the latest more often than others. */
  private List<Integer> some(Refs refs, int most) {
    TreeSet<Integer> chosen = new TreeSet<>();
    List<Integer> open = new ArrayList<>(refs.open);
    for (int i = 0; i < most && !open.isEmpty(); i++) {
      int back = random.nextInt(random.nextBoolean() ? open.size() : Math.min(3, open.size()));
      chosen.add(open.get(open.size() - 1 - back));
    }
    return new ArrayList<>(chosen);
  }

  private Needs needs(boolean task) {
    int milliCpus =
        switch (random.nextInt(12)) {
          case 0 -> 500;
          case 1 -> 2_000;
          case 2 -> 0;
          case 3 -> random.nextInt(4) == 0 ? 50_000 : 250; // the first can never run
          default -> 1_000;
        };
    if (chance(groupPercent)) {
      return inGroup(milliCpus);
    }
    return switch (random.nextInt(12)) {
      case 0, 1 -> new Needs(milliCpus, false, Needs.Where.SPREAD, 0, 0);
      case 2 -> new Needs(milliCpus, false, Needs.Where.ON_NODE_IF_THERE, random.nextInt(nodes), 0);
      case 3 -> new Needs(milliCpus, false, Needs.Where.ON_ZONE, random.nextInt(2), 0);
      default -> task ? new Needs(1_000, false, Needs.Where.ANY, 0, 0) : Needs.ONE_CPU;
    };
  }

  private Needs inGroup(int milliCpus) {
    int group = any(groupsThere);
    if (group < 0) {
      return new Needs(milliCpus, false, Needs.Where.ANY, 0, 0);
    }
    int most = Math.min(milliCpus, 1_000);
    int bundle = random.nextBoolean() ? -1 : random.nextInt(bundleCounts.get(group));
    return new Needs(most, false, Needs.Where.IN_GROUP, group, bundle);
  }

  private String name(String kind) {
    return kind + ++names;
  }
}
