package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;
import io.aktis.core.resource.Resources;

/**
 * Why one node was not chosen.
 *
 * @param node the node
 * @param why the reason
 * @param lacking what it lacks; nothing where that is not the reason
 */
public record Rejection(NodeId node, Why why, Resources lacking) {
  /** Reasons, from those that pass to those that last. */
  public enum Why {
    /** It could hold the work, and others hold it now. */
    BUSY("busy"),
    /** Its free GPU shares lie on several devices. */
    GPUS_SCATTERED("with GPU shares scattered over devices"),
    /** It has no committed bundle of the group. */
    NO_BUNDLE("without the bundle"),
    /** It has less than needed altogether. */
    TOO_SMALL("too small"),
    /** Its labels do not match. */
    LABELS("with other labels"),
    /** It is not the node that was named. */
    OTHER_NODE("not the named node"),
    /** It does not take part. */
    NOT_ALIVE("not alive");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    /** Returns the reason as words that follow a number of nodes. */
    public String words() {
      return words;
    }
  }

  @Override
  public String toString() {
    return node + " is " + why.words() + (lacking.isZero() ? "" : ", lacks " + lacking);
  }
}
