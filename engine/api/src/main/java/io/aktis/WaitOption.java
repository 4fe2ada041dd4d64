package io.aktis;

/** How {@code wait} treats a value that is ready elsewhere. */
public enum WaitOption {
  /** It is enough that the value exists; it is not brought to this node. */
  EXISTENCE_ONLY
}
