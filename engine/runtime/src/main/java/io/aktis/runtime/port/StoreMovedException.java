package io.aktis.runtime.port;

/**
 * The store of a node is used no more, because the node is gone: another one has taken its place,
 * and what was being made here is to be made there.
 */
public final class StoreMovedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure. */
  public StoreMovedException(Location from, Throwable cause) {
    super("the store at " + from.address() + " is not used any more", cause);
  }
}
