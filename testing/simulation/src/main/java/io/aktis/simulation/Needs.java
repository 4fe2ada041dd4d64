package io.aktis.simulation;

/**
 * Where work may run.
 *
 * @param milliCpus how many thousandths of a CPU it holds
 * @param placeOnly whether it needs one CPU to be placed and holds none
 * @param where how its node is chosen
 * @param number the node or the group that is meant
 * @param bundle the bundle of the group, or any
 */
record Needs(int milliCpus, boolean placeOnly, Where where, int number, int bundle) {
  /** How the node of some work is chosen. */
  enum Where {
    ANY,
    SPREAD,
    ON_NODE_IF_THERE,
    ON_ZONE,
    IN_GROUP
  }

  static final Needs ONE_CPU = new Needs(1000, false, Where.ANY, 0, 0);
  static final Needs ACTOR = new Needs(0, true, Where.ANY, 0, 0);
}
