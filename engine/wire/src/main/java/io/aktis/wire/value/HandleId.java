package io.aktis.wire.value;

/**
 * Names the thing behind a handle, such as an object, an actor or a placement group, in any process
 * of the cluster.
 *
 * @param kind what it names; chosen by the runtime
 * @param high upper half of its id
 * @param low lower half of its id
 */
public record HandleId(byte kind, long high, long low) {
  @Override
  public int hashCode() {
    long mixed = ((high ^ Long.rotateLeft(low, 31)) + kind) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
