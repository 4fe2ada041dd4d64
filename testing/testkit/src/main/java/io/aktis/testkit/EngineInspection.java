package io.aktis.testkit;

import java.util.List;

/** A look into a session's engine for what its users cannot see. Thread-safe. */
public interface EngineInspection {
  /**
   * Returns what is wrong inside of the running engine, in words: a machine in a state that it must
   * not have, a node whose free and held resources do not add up to its total. Empty when all is
   * well.
   */
  List<String> problems();

  /** Returns the bytes of the object stores that readers hold at this moment. */
  long pinnedBytes();

  /** Returns the bytes of the object stores in use; 0 after close. */
  long storeUsedBytes();
}
