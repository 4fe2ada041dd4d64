package io.aktis.core.head;

import static io.aktis.core.head.HeadStep.CHOSEN;
import static io.aktis.core.head.HeadStep.CLAIMED;
import static io.aktis.core.head.HeadStep.FENCED_OFF;
import static io.aktis.core.head.HeadStep.NOT_CHOSEN;

import io.aktis.core.machine.TransitionTable;

/** What a node that can be the head is at a moment. */
public enum HeadState {
  /** Another node is the head, or is to be. */
  OTHER,
  /** The members have it as their head; the control store does not yet. */
  CLAIMING,
  /** It is the head. */
  HEAD,
  /** The members have it as their head, but the control store belongs to a later one. */
  FENCED;

  /** The moves between the states. */
  public static final TransitionTable<HeadState, HeadStep> TABLE =
      TransitionTable.of(HeadState.class, HeadStep.class)
          .startsIn(OTHER)
          .on(OTHER, CHOSEN, CLAIMING)
          .ignores(OTHER, NOT_CHOSEN)
          .ignores(OTHER, CLAIMED)
          .ignores(OTHER, FENCED_OFF)
          .ignores(CLAIMING, CHOSEN)
          .on(CLAIMING, NOT_CHOSEN, OTHER)
          .on(CLAIMING, CLAIMED, HEAD)
          .ignores(CLAIMING, FENCED_OFF)
          .ignores(HEAD, CHOSEN)
          .on(HEAD, NOT_CHOSEN, OTHER)
          .ignores(HEAD, CLAIMED)
          .on(HEAD, FENCED_OFF, FENCED)
          .ignores(FENCED, CHOSEN)
          .on(FENCED, NOT_CHOSEN, OTHER)
          .ignores(FENCED, CLAIMED)
          .ignores(FENCED, FENCED_OFF)
          .build();
}
