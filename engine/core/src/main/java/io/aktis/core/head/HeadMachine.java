package io.aktis.core.head;

import io.aktis.core.head.HeadEffect.Claim;
import io.aktis.core.head.HeadEffect.Resign;
import io.aktis.core.head.HeadEffect.Serve;
import java.util.function.Consumer;

/**
 * Decides whether a node that can be the head is it. Confined to the loop that hosts it.
 *
 * <p>Two things have to come together. The membership tells who should be the head: the oldest
 * member of those that can. That may be seen differently by two nodes for a moment, so it is not
 * enough. The control store tells who may write: it counts heads, and takes nothing from any but
 * the last. So a node first claims the store, and is the head from then until the membership has
 * another one, or the store belongs to a later one. Who was fenced off does not claim again while
 * the members still have it as their head: two that take turns would be worse than none.
 */
public final class HeadMachine {
  /** How long to wait after a claim that failed. */
  static final long RETRY_MS = 1_000;

  private HeadState state = HeadState.TABLE.start();
  private long lastClaim;
  private boolean claimIsOut;
  private long retryAtMs;
  private long epoch;

  /** Makes the machine of a node that is not the head. */
  public HeadMachine() {}

  /** Returns what the node is. */
  public HeadState state() {
    return state;
  }

  /** Returns the epoch in which this node is the head; 0 when it is not. */
  public long epoch() {
    return state == HeadState.HEAD ? epoch : 0;
  }

  /** Takes in what happened; {@code effects} are to be carried out in their order. */
  public void on(HeadEvent event, long nowMs, Consumer<? super HeadEffect> effects) {
    switch (event) {
      case HeadEvent.Chosen(boolean isThisNode) -> chosen(isThisNode, effects);
      case HeadEvent.Claimed claimed -> {
        if (isAwaited(claimed.claim())) {
          state = HeadState.TABLE.next(state, HeadStep.CLAIMED);
          epoch = claimed.epoch();
          effects.accept(new Serve(epoch));
        }
      }
      case HeadEvent.ClaimFailed failed -> {
        if (isAwaited(failed.claim())) {
          claimIsOut = false;
          retryAtMs = nowMs + RETRY_MS;
        }
      }
      case HeadEvent.FencedOff fenced -> {
        if (state == HeadState.HEAD && fenced.epoch() == epoch) {
          state = HeadState.TABLE.next(state, HeadStep.FENCED_OFF);
          effects.accept(new Resign());
        }
      }
      case HeadEvent.Tick tick -> {
        if (state == HeadState.CLAIMING && !claimIsOut && nowMs >= retryAtMs) {
          claim(effects);
        }
      }
    }
  }

  private void chosen(boolean isThisNode, Consumer<? super HeadEffect> effects) {
    HeadStep step = isThisNode ? HeadStep.CHOSEN : HeadStep.NOT_CHOSEN;
    if (HeadState.TABLE.ignores(state, step)) {
      return;
    }
    boolean wasHead = state == HeadState.HEAD;
    state = HeadState.TABLE.next(state, step);
    if (isThisNode) {
      claim(effects);
    } else if (wasHead) {
      effects.accept(new Resign());
    }
  }

  private void claim(Consumer<? super HeadEffect> effects) {
    claimIsOut = true;
    effects.accept(new Claim(++lastClaim));
  }

  /** An answer may come when the node is not wanted any more, or wanted again. */
  private boolean isAwaited(long claim) {
    return state == HeadState.CLAIMING && claimIsOut && claim == lastClaim;
  }
}
