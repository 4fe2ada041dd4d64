package io.aktis.simulation;

import java.util.List;

/**
 * An actor as a program makes it.
 *
 * @param name what people see
 * @param ordered whether its calls run one at a time in their order
 * @param maxRestarts how often it may be made again
 * @param needs where it may live
 * @param constructor what its constructor does
 * @param args references of the submitter that are arguments of the constructor
 */
record ActorSpec(
    String name,
    boolean ordered,
    int maxRestarts,
    Needs needs,
    Script constructor,
    List<Integer> args) {
  @Override
  public String toString() {
    return name;
  }
}
