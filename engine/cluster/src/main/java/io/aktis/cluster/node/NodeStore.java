package io.aktis.cluster.node;

import io.aktis.core.id.ObjectId;

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

  /** Deletes an object; one that is not there is none. */
  void deleteObject(ObjectId object);

  /** Deletes all objects of an owner, which is gone. */
  void deleteAllOf(long owner);
}
