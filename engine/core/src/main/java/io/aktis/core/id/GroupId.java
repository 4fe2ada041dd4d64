package io.aktis.core.id;

/**
 * Names one placement group.
 *
 * @param owner the number of the process that gave the id
 * @param number counts what that process has named, from 1
 */
public record GroupId(long owner, long number) implements Comparable<GroupId> {
  @Override
  public int compareTo(GroupId other) {
    int byOwner = Long.compareUnsigned(owner, other.owner);
    return byOwner != 0 ? byOwner : Long.compareUnsigned(number, other.number);
  }

  @Override
  public String toString() {
    return "group-" + Hex.of(owner, number);
  }
}
