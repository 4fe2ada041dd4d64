package io.aktis.core.id;

/**
 * Names one node.
 *
 * @param owner the number of the process that gave the id
 * @param number counts what that process has named, from 1
 */
public record NodeId(long owner, long number) implements Comparable<NodeId> {
  @Override
  public int compareTo(NodeId other) {
    int byOwner = Long.compareUnsigned(owner, other.owner);
    return byOwner != 0 ? byOwner : Long.compareUnsigned(number, other.number);
  }

  @Override
  public String toString() {
    return "node-" + Hex.of(owner, number);
  }
}
