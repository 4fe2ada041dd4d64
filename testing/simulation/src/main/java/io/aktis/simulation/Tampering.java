package io.aktis.simulation;

import io.aktis.core.link.ReliableLink;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.placement.PlacementEffect;
import org.jspecify.annotations.Nullable;

/**
 * Where a test can put a bug into the simulated cluster, to see whether it is found. Everything
 * here does nothing by itself.
 */
interface Tampering {
  /** No bug. */
  Tampering NONE = new Tampering() {};

  /** Returns what handles the events of a link. */
  default Connection.Wire wire(ReliableLink<Message> link) {
    return link::on;
  }

  /** Returns the event that an owner is told in the place of this one. */
  default OwnerEvent ownerEvent(OwnerEvent event) {
    return event;
  }

  /** Returns the effect that is carried out in the place of this one, if any. */
  default @Nullable OwnerEffect ownerEffect(OwnerEffect effect) {
    return effect;
  }

  /** Returns the effect that is carried out in the place of this one, if any. */
  default @Nullable PlacementEffect placementEffect(PlacementEffect effect) {
    return effect;
  }

  /** Returns the message that a node gets in the place of this one, if any. */
  default @Nullable Message toNode(Message message) {
    return message;
  }

  /** Tells whether a node runs the calls of an ordered actor as they come. */
  default boolean runsCallsAtOnce() {
    return false;
  }
}
