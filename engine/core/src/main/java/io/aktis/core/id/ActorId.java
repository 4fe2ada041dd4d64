package io.aktis.core.id;

/**
 * Names one actor for its whole life, restarts included.
 *
 * @param owner the number of the process that gave the id
 * @param number counts what that process has named, from 1
 */
public record ActorId(long owner, long number) implements Comparable<ActorId> {
  @Override
  public int compareTo(ActorId other) {
    int byOwner = Long.compareUnsigned(owner, other.owner);
    return byOwner != 0 ? byOwner : Long.compareUnsigned(number, other.number);
  }

  @Override
  public String toString() {
    return "actor-" + Hex.of(owner, number);
  }
}
