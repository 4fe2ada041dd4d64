package io.aktis.core.link;

import io.aktis.core.machine.TransitionTable;

/** Whether the two ends of a link know each other. */
public enum LinkState {
  /** Looks for the peer, or for its next life; messages wait. */
  SEEKING,
  /** Both ends know each other's incarnation; messages flow. */
  UP;

  /** The moves between the states. */
  public static final TransitionTable<LinkState, LinkStep> TABLE =
      TransitionTable.of(LinkState.class, LinkStep.class)
          .startsIn(SEEKING)
          .on(SEEKING, LinkStep.ANSWERED, UP)
          .stays(SEEKING, LinkStep.NEW_LIFE)
          .stays(SEEKING, LinkStep.GIVEN_UP)
          .ignores(UP, LinkStep.ANSWERED)
          .on(UP, LinkStep.NEW_LIFE, SEEKING)
          .on(UP, LinkStep.GIVEN_UP, SEEKING)
          .build();
}
