package io.aktis.cluster.node;

import io.aktis.core.id.ObjectId;
import java.util.List;
import java.util.Map;

/**
 * What a node daemon needs of its object store. Called by the loop of the daemon; must not wait.
 */
public interface NodeStore {
  /** Returns the path of the file that other processes of the machine map; empty for none. */
  String file();

  /** Returns how much it can hold, in bytes. */
  long capacityBytes();

  /** Returns how much it holds, in bytes. */
  long usedBytes();

  /** Returns how much of it readers hold at this moment, in bytes. */
  long pinnedBytes();

  /**
   * Returns what it holds. Costs time in proportion to it.
   *
   * @return all objects, in no order
   */
  List<Entry> objects();

  /**
   * One object in the store.
   *
   * @param state CREATING, SEALED, SPILLED or DELETED
   * @param pins how often its bytes are held in memory
   * @param readers which processes of the machine hold them, and how often
   */
  record Entry(ObjectId id, long sizeBytes, String state, int pins, Map<String, Integer> readers) {}

  /** Deletes an object; one that is not there is none. */
  void deleteObject(ObjectId object);

  /** Deletes all objects of an owner, which is gone. */
  void deleteAllOf(long owner);
}
