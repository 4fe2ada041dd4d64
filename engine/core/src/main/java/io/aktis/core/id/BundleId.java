package io.aktis.core.id;

/**
 * Names one bundle of a placement group.
 *
 * @param group the group
 * @param index the place of the bundle in its group, from 0, or {@link #ANY_INDEX}
 */
public record BundleId(GroupId group, int index) implements Comparable<BundleId> {
  /** Stands for whichever bundle has room. */
  public static final int ANY_INDEX = -1;

  /** Checks the index. */
  public BundleId {
    if (index < ANY_INDEX) {
      throw new IllegalArgumentException("the index of a bundle is " + index);
    }
  }

  /** Returns the name for whichever bundle of {@code group} has room. */
  public static BundleId any(GroupId group) {
    return new BundleId(group, ANY_INDEX);
  }

  /** Tells whether any bundle of the group is meant. */
  public boolean isAny() {
    return index == ANY_INDEX;
  }

  @Override
  public int compareTo(BundleId other) {
    int byGroup = group.compareTo(other.group);
    return byGroup != 0 ? byGroup : Integer.compare(index, other.index);
  }

  @Override
  public String toString() {
    return group + (isAny() ? "[any]" : "[" + index + "]");
  }
}
