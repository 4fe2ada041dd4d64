package io.aktis.core.resource;

/**
 * What a piece of work needs: so much must be free where it is placed, and so much is taken while
 * it is there.
 *
 * <p>For a task both are the same. An actor that names no CPUs needs one free CPU to be placed and
 * takes none, so that a machine holds many; one that names a number takes it. Only CPUs may differ:
 * what is exclusive must be taken.
 *
 * @param toPlace what must be free
 * @param toHold what is taken: the same, with as many CPUs or fewer
 */
public record Demand(Resources toPlace, Resources toHold) {
  /** One CPU, taken while the task runs: the default of a task. */
  public static final Demand TASK = of(Resources.ONE_CPU);

  /** One CPU to be placed and none while it lives: the default of an actor. */
  public static final Demand ACTOR = new Demand(Resources.ONE_CPU, Resources.NONE);

  /** Nothing. */
  public static final Demand NONE = of(Resources.NONE);

  /** Checks that the two differ in CPUs only. */
  public Demand {
    boolean sameRest =
        toPlace.equals(toHold)
            || toPlace.isCpuOnly() && toHold.isCpuOnly()
            || toPlace.withoutCpu().equals(toHold.withoutCpu());
    if (!sameRest || toHold.cpuUnits() > toPlace.cpuUnits()) {
      throw new IllegalArgumentException(
          "work that is placed with " + toPlace + " must hold that, or fewer cpus; not " + toHold);
    }
  }

  /** Returns the demand that takes what it needs. */
  public static Demand of(Resources resources) {
    return new Demand(resources, resources);
  }

  @Override
  public String toString() {
    return toPlace.equals(toHold)
        ? toPlace.toString()
        : toPlace + " to place, " + toHold + " to hold";
  }
}
