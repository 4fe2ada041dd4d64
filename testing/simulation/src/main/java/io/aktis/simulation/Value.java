package io.aktis.simulation;

import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.FailureKind;
import java.util.List;

/** What an object is, as it travels. */
sealed interface Value {
  /** Returns the content that an object has in truth; so everybody can see whether it is right. */
  static long truth(ObjectId id) {
    long mixed = (id.owner() * 31 + id.bits()) * 0x9e3779b97f4a7c15L;
    return mixed ^ mixed >>> 31;
  }

  /**
   * It is here.
   *
   * @param id the object
   * @param content its content
   * @param contained objects that references in it name
   */
  record Small(ObjectId id, long content, List<ObjectId> contained) implements Value {}

  /**
   * It lies in the store of a node.
   *
   * @param id the object
   * @param node the node
   */
  record Large(ObjectId id, NodeId node) implements Value {}

  /**
   * There is none.
   *
   * @param id the object
   * @param kind what happened
   */
  record Failed(ObjectId id, FailureKind kind) implements Value {}

  /**
   * It was there and is lost.
   *
   * @param id the object
   */
  record Gone(ObjectId id) implements Value {}

  /** Returns the object. */
  ObjectId id();
}
