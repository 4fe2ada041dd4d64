package io.aktis.core.link;

/** What moves an end of a link from state to state. */
public enum LinkStep {
  /** A frame came that names this incarnation: the peer knows it. */
  ANSWERED,
  /** A frame came of a later incarnation of the peer. */
  NEW_LIFE,
  /** The peer was silent or slow for too long, or was declared gone. */
  GIVEN_UP
}
