package io.aktis.core.head;

/** What can happen to a node that can be the head. */
public enum HeadStep {
  /** It is the oldest member of those that can be the head. */
  CHOSEN,
  /** It is not: an older one is there, or this node is no member any more. */
  NOT_CHOSEN,
  /** The control store is its own: what others wrote before stays, and they cannot write more. */
  CLAIMED,
  /** A write was refused, since a later head has claimed the control store. */
  FENCED_OFF
}
