package io.aktis.runtime.session;

import io.aktis.core.link.Frame;
import io.aktis.core.link.LinkEffect;
import io.aktis.core.link.LinkEvent;
import io.aktis.core.link.LinkLimits;
import io.aktis.core.link.ReliableLink;
import io.aktis.wire.message.JobMessage;
import io.aktis.wire.message.Mail;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of this owner to those of other jobs. Frames travel through any node that both are
 * connected to; a link sees to it that each message arrives once and in order, through whichever
 * nodes. Who is connected to no node is gone. Confined to the owner's loop.
 */
final class JobLinks {
  private static final LinkLimits LIMITS =
      new LinkLimits(200, 2_000, 1_000, 15_000, 1_024, 1_000_000);

  /** Hears what other owners say. On the loop. */
  interface Listener {
    /** The next message of another owner. */
    void received(long owner, JobMessage message);

    /**
     * What was said to another owner and not answered will not be, and what was held of it, or by
     * it, is let go.
     *
     * @param ended whether it has ended, rather than being out of reach for now
     */
    void lost(long owner, boolean ended);
  }

  private final class Peer {
    final long owner;
    final ReliableLink<JobMessage> link;

    /** The nodes that say that it is not connected to them. */
    final Set<RemoteNode> without = new HashSet<>();

    @Nullable RemoteNode via;
    boolean over;

    Peer(long owner) {
      this.owner = owner;
      this.link = new ReliableLink<>(LIMITS, nextLife);
      nextLife += ReliableLink.LIVES;
    }

    /** What is sent because of a delivery is told after what is being handled. */
    void tell(LinkEvent<JobMessage> event) {
      if (!over) {
        List<LinkEffect<JobMessage>> effects = new ArrayList<>(2);
        link.on(event, effects::add);
        effects.forEach(this::carryOut);
      }
    }

    private void carryOut(LinkEffect<JobMessage> effect) {
      switch (effect) {
        case LinkEffect.Transmit<JobMessage>(Frame<JobMessage> frame) -> transmit(this, frame);
        case LinkEffect.Deliver<JobMessage>(JobMessage message) ->
            listener.received(owner, message);
        case LinkEffect.StartTimer<JobMessage>(long delayMs) ->
            kernel.timers().after(delayMs, () -> kernel.onLoop(this::tick));
        case LinkEffect.PeerUp<JobMessage> _ -> {}
        case LinkEffect.PeerRestarted<JobMessage> _, LinkEffect.PeerLost<JobMessage> _ ->
            listener.lost(owner, over);
      }
    }

    private void tick() {
      tell(new LinkEvent.Tick<>(OwnerKernel.nowMs()));
    }
  }

  private final OwnerKernel kernel;
  private final Listener listener;
  private final Map<Long, Peer> peers = new HashMap<>();

  /** Grows with each link, for two to the same owner must not be taken for one. */
  private long nextLife = System.currentTimeMillis() * 1_000;

  private boolean closed;

  JobLinks(OwnerKernel kernel, Listener listener) {
    this.kernel = kernel;
    this.listener = listener;
  }

  /** Sends a message to another owner; the link is made with the first one. */
  void send(long owner, JobMessage.Builder message) {
    if (closed) {
      return; // who waits for it hears that this owner is gone
    }
    peer(owner).tell(new LinkEvent.Send<>(message.build(), OwnerKernel.nowMs()));
  }

  private Peer peer(long owner) {
    Peer known = peers.get(owner);
    if (known != null) {
      return known;
    }
    Peer peer = new Peer(owner);
    peers.put(owner, peer);
    peer.tell(new LinkEvent.Opened<>(OwnerKernel.nowMs()));
    return peer;
  }

  // ---- the way there --------------------------------------------------------------------------

  private void transmit(Peer peer, Frame<JobMessage> frame) {
    RemoteNode via = route(peer);
    if (via == null) {
      return; // there is no node now; it is sent again later
    }
    Mail.Builder mail =
        Mail.newBuilder()
            .setOwner(peer.owner)
            .setFromLife(frame.from())
            .setToLife(frame.to())
            .setSequence(frame.sequence())
            .setAcknowledged(frame.acknowledged());
    JobMessage message = frame.message();
    if (message != null) {
      mail.setMessage(message);
    }
    via.send(mail);
  }

  private @Nullable RemoteNode route(Peer peer) {
    RemoteNode last = peer.via;
    if (last != null && last.isAlive() && !peer.without.contains(last)) {
      return last;
    }
    peer.via = null;
    for (RemoteNode node : alive()) {
      if (!peer.without.contains(node)) {
        peer.via = node;
        break;
      }
    }
    return peer.via;
  }

  private List<RemoteNode> alive() {
    List<RemoteNode> alive = new ArrayList<>();
    for (NodePort node : kernel.nodes()) {
      if (node instanceof RemoteNode remote && remote.isAlive()) {
        alive.add(remote);
      }
    }
    return alive;
  }

  /** Mail has come by way of a node. */
  void received(RemoteNode via, Mail mail) {
    if (closed) {
      return;
    }
    Peer peer = peer(mail.getOwner());
    peer.without.remove(via);
    Frame<JobMessage> frame =
        new Frame<>(
            mail.getFromLife(),
            mail.getToLife(),
            mail.getSequence(),
            mail.getAcknowledged(),
            mail.hasMessage() ? mail.getMessage() : null);
    peer.tell(new LinkEvent.Received<>(frame, OwnerKernel.nowMs()));
  }

  /** A node says that the owner is not connected to it, to whom mail was sent. */
  void noOwner(RemoteNode via, long owner) {
    Peer peer = peers.get(owner);
    if (peer == null) {
      return;
    }
    peer.without.add(via);
    if (peer.without.containsAll(alive())) {
      peers.remove(owner);
      peer.over = true;
      listener.lost(owner, true);
    }
  }

  void nodeGone(RemoteNode node) {
    peers.values().forEach(peer -> peer.without.remove(node));
  }

  /** Nothing is sent or heard any more. */
  void close() {
    closed = true;
    peers.values().forEach(peer -> peer.over = true);
    peers.clear();
  }
}
