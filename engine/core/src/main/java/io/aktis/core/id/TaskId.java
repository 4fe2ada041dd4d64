package io.aktis.core.id;

/**
 * Names one task, actor creation or actor call of one owner.
 *
 * <pre>
 *  hi: 64 bits  owner      the random number of the process that submitted it
 *  lo: 40 bits  sequence   counts the owner's submissions from 1
 *      24 bits  zero       the place of the result index in {@link ObjectId}
 * </pre>
 *
 * @param owner the number of the owner
 * @param bits the sequence number, shifted left by 24
 */
public record TaskId(long owner, long bits) implements Comparable<TaskId> {
  static final int INDEX_BITS = 24;

  /** The largest number of results of one task: results are numbered from 0 to this, exclusive. */
  public static final int MAX_RESULTS = (1 << INDEX_BITS) - 1;

  /** Returns the id of the submission {@code sequence} of {@code owner}. */
  public static TaskId of(long owner, long sequence) {
    return new TaskId(owner, sequence << INDEX_BITS);
  }

  /** Returns the place of this task in its owner's order of submission. */
  public long sequence() {
    return bits >>> INDEX_BITS;
  }

  /** Returns the id of result {@code index} of this task. */
  public ObjectId result(int index) {
    return new ObjectId(owner, bits | (index + 1));
  }

  @Override
  public int compareTo(TaskId other) {
    int byOwner = Long.compareUnsigned(owner, other.owner);
    return byOwner != 0 ? byOwner : Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return "task-" + Hex.of(owner, bits >>> INDEX_BITS);
  }
}
