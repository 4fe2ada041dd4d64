package io.aktis.core.id;

/**
 * Names one immutable value: result {@code index} of a task, or a value that was put (result 0 of a
 * submission of its own). The layout is that of {@link TaskId} with {@code index + 1} in the low 24
 * bits.
 *
 * @param owner the number of the process that owns the value
 * @param bits sequence number and result index
 */
public record ObjectId(long owner, long bits) implements Comparable<ObjectId> {
  private static final long INDEX_MASK = (1L << TaskId.INDEX_BITS) - 1;

  /** Returns the task that makes this value. */
  public TaskId task() {
    return new TaskId(owner, bits & ~INDEX_MASK);
  }

  /** Returns which result of its task this value is, from 0. */
  public int index() {
    return (int) (bits & INDEX_MASK) - 1;
  }

  @Override
  public int compareTo(ObjectId other) {
    int byOwner = Long.compareUnsigned(owner, other.owner);
    return byOwner != 0 ? byOwner : Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public int hashCode() {
    long mixed = (owner ^ bits) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }

  @Override
  public String toString() {
    return "object-" + Hex.of(owner, bits >>> TaskId.INDEX_BITS) + "." + index();
  }
}
