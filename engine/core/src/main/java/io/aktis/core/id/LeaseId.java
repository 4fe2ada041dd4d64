package io.aktis.core.id;

/**
 * Names one lease.
 *
 * @param owner the number of the process that gave the id
 * @param number counts what that process has named, from 1
 */
public record LeaseId(long owner, long number) implements Comparable<LeaseId> {
  @Override
  public int compareTo(LeaseId other) {
    int byOwner = Long.compareUnsigned(owner, other.owner);
    return byOwner != 0 ? byOwner : Long.compareUnsigned(number, other.number);
  }

  @Override
  public String toString() {
    return "lease-" + Hex.of(owner, number);
  }
}
