package io.aktis.simulation;

import io.aktis.core.link.Frame;
import io.aktis.core.link.LinkEffect;
import io.aktis.core.link.LinkEvent;
import io.aktis.core.link.LinkState;
import io.aktis.core.link.ReliableLink;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One end of a connection of a process: a link, and what carries its effects out. */
final class Connection {
  /** Takes the events of a link; usually the link itself. */
  interface Wire {
    void on(LinkEvent<Message> event, Consumer<? super LinkEffect<Message>> effects);
  }

  private final LiveProcess here;
  private final Address there;
  private final ReliableLink<Message> link;
  private final Wire wire;

  Connection(LiveProcess here, Address there, ReliableLink<Message> link, Wire wire) {
    this.here = here;
    this.there = there;
    this.link = link;
    this.wire = wire;
  }

  void open() {
    tell(new LinkEvent.Opened<>(here.nowMs()));
  }

  boolean isUp() {
    return link.state() == LinkState.UP;
  }

  /** Sends a message to whoever is there, or will be soon. */
  void send(Message message) {
    tell(new LinkEvent.Send<>(message, here.nowMs()));
  }

  void arrived(Frame<Message> frame) {
    tell(new LinkEvent.Received<>(frame, here.nowMs()));
  }

  private void tell(LinkEvent<Message> event) {
    List<LinkEffect<Message>> effects = new ArrayList<>();
    wire.on(event, effects::add);
    link.validate();
    for (LinkEffect<Message> effect : effects) {
      carryOut(effect);
    }
  }

  private void carryOut(LinkEffect<Message> effect) {
    if (!(effect instanceof LinkEffect.StartTimer)) {
      here.world().tally().count(effect);
    }
    switch (effect) {
      case LinkEffect.Transmit<Message>(Frame<Message> frame) -> here.transmit(there, frame);
      case LinkEffect.Deliver<Message>(Message message) -> here.deliver(there, message);
      case LinkEffect.StartTimer<Message>(long delayMs) ->
          here.after(delayMs, () -> tell(new LinkEvent.Tick<>(here.nowMs())));
      case LinkEffect.PeerUp<Message> _ -> {
        here.note("connected with", there);
        here.peerUp(there);
      }
      case LinkEffect.PeerRestarted<Message> _ -> {
        here.note("sees a restart of", there);
        here.peerDown(there);
      }
      case LinkEffect.PeerLost<Message> lost -> {
        here.note("gives up", there, lost.reason());
        here.peerDown(there);
      }
    }
  }
}
