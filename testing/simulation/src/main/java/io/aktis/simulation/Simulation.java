package io.aktis.simulation;

import java.util.List;

/**
 * Lives the life of a whole cluster in one thread, from a seed: the same seed is the same life. A
 * rule that is broken ends it with a {@link Violation} that tells the last events.
 */
public final class Simulation {
  /** How much is looked for between two looks at whether all is over. */
  private static final long LOOK_MS = 250;

  private final long seed;
  private final World world;

  Simulation(long seed, Tampering tampering) {
    this.seed = seed;
    this.world = new World(seed, tampering);
  }

  /**
   * What a life was like.
   *
   * @param seed its seed
   * @param events how many events happened
   * @param tasks how many tasks were submitted
   * @param starts how many times code started
   * @param endMs when all was over, on the clock of the simulation
   * @param fingerprint follows from all events
   * @param tally what happened how often
   */
  public record Report(
      long seed, long events, int tasks, int starts, long endMs, long fingerprint, Tally tally) {}

  /**
   * Lives one life.
   *
   * @throws Violation when a rule is broken
   */
  public static Report run(long seed) {
    return new Simulation(seed, Tampering.NONE).run();
  }

  Report run() {
    try {
      live();
    } catch (Throwable thrown) {
      throw new Violation(story(thrown), thrown);
    }
    Witness witness = world.witness();
    return new Report(
        seed,
        world.agenda().happened(),
        witness.tasks(),
        witness.starts(),
        world.nowMs(),
        world.history().fingerprint(),
        world.tally());
  }

  private void live() {
    world.start();
    new Faults(world).plan();
    long endMs = Timing.FAULTS_END + Timing.ALL_OVER;
    runUntil(Timing.FAULTS_END + 1);
    List<String> left = world.leftovers();
    while (!left.isEmpty() && world.nowMs() < endMs) {
      runUntil(world.nowMs() + LOOK_MS);
      left = world.leftovers();
    }
    Violation.check(left.isEmpty(), "all is over some time after faults stop", left);
    world.witness().allIsOver(world);
  }

  private void runUntil(long timeMs) {
    boolean more = true;
    while (more) {
      more = world.agenda().step(timeMs);
    }
  }

  private String story(Throwable thrown) {
    StringBuilder out = new StringBuilder();
    out.append("seed ").append(seed).append(" at ").append(world.nowMs()).append(" ms: ");
    out.append(thrown.getMessage()).append("\nThe last events:\n");
    for (String line : world.history().lines()) {
      out.append("  ").append(line).append('\n');
    }
    return out.append("  ").append(thrown.getMessage()).toString();
  }
}
