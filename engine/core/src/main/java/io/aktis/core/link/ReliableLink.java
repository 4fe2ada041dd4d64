package io.aktis.core.link;

import io.aktis.core.invariant.Invariant;
import io.aktis.core.link.LinkEffect.Deliver;
import io.aktis.core.link.LinkEffect.LossReason;
import io.aktis.core.link.LinkEffect.PeerLost;
import io.aktis.core.link.LinkEffect.PeerRestarted;
import io.aktis.core.link.LinkEffect.PeerUp;
import io.aktis.core.link.LinkEffect.StartTimer;
import io.aktis.core.link.LinkEffect.Transmit;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One end of a connection between two processes. Over a network that loses, delays, repeats and
 * reorders frames, it gives the receiver each message once and in the order of sending, or tells
 * the sender that the peer is gone.
 *
 * <p>Decides only: events in, effects out. Confined to one caller at a time.
 *
 * <h2>Why not just a stream of bytes</h2>
 *
 * <p>A TCP connection or a gRPC stream keeps order and repeats what is lost, as long as it lives.
 * When it breaks, neither side knows which of the last messages arrived; a new connection knows
 * nothing of the old one, and a process that was restarted at the same address looks like the one
 * that was there before. An engine that sends "run this task" has to know: to run it twice is
 * wrong, and to forget it is wrong. So the end of a conversation has to be an event that both sides
 * see, and that is what this class adds.
 *
 * <h2>Incarnations</h2>
 *
 * <p>Each end has a number, and uses a larger one whenever it starts anew: when its process starts
 * (the caller gives {@code incarnation}, larger by {@link #LIVES} than any before; the time of the
 * start in microseconds will do), and by itself whenever it gives its peer up. Each frame names the
 * incarnation it is from and the one it is for. A frame that is from an earlier life, or for one,
 * is never delivered. So what both sides have said to each other is cut in two by the same event:
 * who gives up begins a new life, and the other sees {@link PeerRestarted} before it sees anything
 * of that life. There is no state in which one side has started over and the other has not noticed.
 *
 * <p>Messages are sent only {@linkplain LinkState#UP when both ends know each other}, never "to
 * whoever is there": a first message that is repeated by the network long after could otherwise be
 * taken for the first one by the next life of the receiver. This is the three-way handshake of TCP,
 * and the reason for it; {@code to = 0} is its SYN.
 *
 * <h2>Order and once</h2>
 *
 * <p>Messages of a pair of incarnations are numbered from 1. The receiver delivers number <i>n</i>
 * after <i>n</i> − 1, keeps what comes early as far as the window reaches, drops what it has
 * delivered, and acknowledges the last number up to which it has all: in each frame it sends
 * anyway, and in one of its own for each message. The sender repeats what is not acknowledged,
 * after a time that doubles while nothing is acknowledged. At most a window of messages is under
 * way; more wait in a queue, which is bounded too. A peer that lets it overflow is as good as gone.
 *
 * <h2>Is it alive?</h2>
 *
 * <p>Each end says something at least every heartbeat. When nothing that knows this incarnation was
 * heard for the time of silence, or nothing was acknowledged for that time though something is
 * under way, the peer is given up: the second rule catches a network that works in one direction
 * only. Better judgement, such as the membership of the cluster, comes in as {@link
 * LinkEvent.PeerDown}.
 *
 * <p>Sources: RFC 9293 (TCP: handshake, cumulative acknowledgement, window); Birrell and Nelson,
 * "Implementing remote procedure calls", 1984 (calls at most once, by conversation identifiers that
 * grow with restarts); Liskov, Shrira and Wroclawski, "Efficient at-most-once messages based on
 * synchronized clocks", 1991 (why a restarted receiver must refuse old first messages). Departures:
 * no selective acknowledgement, since windows are small and frames few; a life is over on one
 * side's word, since both sides have to agree on what was lost, not on whether it was.
 *
 * @param <M> messages
 */
public final class ReliableLink<M> {
  /** How many lives an end can begin by itself before it meets the numbers of the next start. */
  public static final long LIVES = 1 << 20;

  private final LinkLimits limits;
  private LinkState state = LinkState.SEEKING;
  private long self;
  private long peer;

  // What is sent.
  private final ArrayDeque<M> queue = new ArrayDeque<>();
  private final ArrayDeque<Sent<M>> underWay = new ArrayDeque<>();
  private long lastSequence;
  private long resendMs;

  // What is received.
  private final TreeMap<Long, M> early = new TreeMap<>();
  private long delivered;

  // When things happened last.
  private long heardMs;
  private long progressMs;
  private long saidMs;

  private Consumer<? super LinkEffect<M>> out = effect -> {};
  private long nowMs;

  /** A message under way. */
  private static final class Sent<M> {
    final long sequence;
    final M message;
    long atMs;

    Sent(long sequence, M message, long atMs) {
      this.sequence = sequence;
      this.message = message;
      this.atMs = atMs;
    }
  }

  /**
   * Makes an end that does not know its peer yet.
   *
   * @param incarnation larger by {@link #LIVES} or more than that of any earlier start of this
   *     process
   */
  public ReliableLink(LinkLimits limits, long incarnation) {
    Invariant.check(incarnation > 0, "incarnations are positive", incarnation);
    this.limits = limits;
    this.self = incarnation;
    this.resendMs = limits.resendMs();
  }

  /** Takes in what happened; effects are to be carried out in their order. */
  public void on(LinkEvent<M> event, Consumer<? super LinkEffect<M>> effects) {
    out = effects;
    nowMs = event.nowMs();
    switch (event) {
      case LinkEvent.Opened<M> _ -> opened();
      case LinkEvent.Send<M> send -> send(send.message());
      case LinkEvent.Received<M> received -> received(received.frame());
      case LinkEvent.Tick<M> _ -> tick();
      case LinkEvent.PeerDown<M> _ -> {
        if (state == LinkState.UP || !queue.isEmpty()) {
          giveUp(LossReason.DECLARED);
        }
      }
    }
  }

  private void opened() {
    heardMs = nowMs;
    progressMs = nowMs;
    say();
    out.accept(new StartTimer<>(limits.resendMs()));
  }

  // ---- sending ----------------------------------------------------------------------------------

  private void send(M message) {
    if (isQuiet()) {
      progressMs = nowMs; // from here on something has to be acknowledged
    }
    queue.add(message);
    flush();
    if (queue.size() > limits.maxQueued()) {
      giveUp(LossReason.OVERFLOW);
    }
  }

  private boolean isQuiet() {
    return queue.isEmpty() && underWay.isEmpty();
  }

  /** Sends what waits, as far as the window allows; returns whether anything was sent. */
  private boolean flush() {
    boolean any = false;
    while (state == LinkState.UP && !queue.isEmpty() && underWay.size() < limits.window()) {
      Sent<M> next = new Sent<>(++lastSequence, queue.remove(), nowMs);
      underWay.add(next);
      transmit(next);
      any = true;
    }
    return any;
  }

  private void transmit(Sent<M> sent) {
    sent.atMs = nowMs;
    saidMs = nowMs;
    out.accept(new Transmit<>(new Frame<>(self, peer, sent.sequence, delivered, sent.message)));
  }

  /** Says that this end is there, what it knows of the peer, and what it has received. */
  private void say() {
    saidMs = nowMs;
    out.accept(new Transmit<>(new Frame<>(self, peer, 0, delivered, null)));
  }

  // ---- receiving --------------------------------------------------------------------------------

  private void received(Frame<M> frame) {
    if (frame.from() < peer) {
      return; // of a life that is over
    }
    if (frame.from() > peer) {
      newLife(frame.from());
    }
    if (frame.to() != self) {
      say(); // it does not know this life, so nothing it says is for it
      return;
    }
    heardMs = nowMs;
    boolean answered = state == LinkState.SEEKING;
    if (answered) {
      move(LinkStep.ANSWERED);
      progressMs = nowMs;
      out.accept(new PeerUp<>(peer));
    }
    acknowledged(frame.acknowledged());
    boolean said = flush();
    M message = frame.message();
    if (message != null) {
      take(frame.sequence(), message);
    } else if (answered && !said) {
      say();
    }
  }

  private void newLife(long incarnation) {
    boolean wasUp = state == LinkState.UP;
    long before = peer;
    move(LinkStep.NEW_LIFE);
    peer = incarnation;
    if (wasUp) {
      forget();
      out.accept(new PeerRestarted<>(before));
    }
  }

  private void acknowledged(long upTo) {
    boolean progress = false;
    while (!underWay.isEmpty() && underWay.getFirst().sequence <= upTo) {
      underWay.remove();
      progress = true;
    }
    if (progress) {
      progressMs = nowMs;
      resendMs = limits.resendMs();
    }
  }

  private void take(long sequence, M message) {
    if (sequence > delivered && sequence <= delivered + limits.window()) {
      early.put(sequence, message);
      for (M next = early.remove(delivered + 1); next != null; next = early.remove(delivered + 1)) {
        delivered++;
        out.accept(new Deliver<>(next));
      }
    }
    say();
  }

  // ---- time -------------------------------------------------------------------------------------

  private void tick() {
    boolean silent = nowMs - heardMs >= limits.silenceMs();
    boolean stuck = !isQuiet() && nowMs - progressMs >= limits.silenceMs();
    if (state == LinkState.UP && silent || stuck) {
      giveUp(LossReason.SILENT);
    }
    resend();
    if (nowMs - saidMs >= limits.heartbeatMs()) {
      say();
    }
    out.accept(new StartTimer<>(limits.resendMs()));
  }

  private void resend() {
    boolean any = false;
    for (Sent<M> sent : underWay) {
      if (nowMs - sent.atMs >= resendMs) {
        transmit(sent);
        any = true;
      }
    }
    if (any) {
      resendMs = Math.min(2 * resendMs, limits.lastResendMs());
    }
  }

  /** Begins a life of this end in which nothing of the peer's last one counts. */
  private void giveUp(LossReason reason) {
    move(LinkStep.GIVEN_UP);
    self++;
    forget();
    out.accept(new PeerLost<>(peer, reason));
    say();
  }

  private void forget() {
    queue.clear();
    underWay.clear();
    lastSequence = 0;
    early.clear();
    delivered = 0;
    resendMs = limits.resendMs();
  }

  private void move(LinkStep step) {
    state = LinkState.TABLE.next(state, step);
  }

  /** Returns whether both ends know each other. */
  public LinkState state() {
    return state;
  }

  /** Returns the number of the life of this end. */
  public long incarnation() {
    return self;
  }

  /** Returns the number of the life of the peer, 0 while it is not known. */
  public long peerIncarnation() {
    return peer;
  }

  /** Returns how many messages are not acknowledged, for senders that can wait. */
  public int pending() {
    return queue.size() + underWay.size();
  }

  /** Checks every rule of the link; for tests. */
  public void validate() {
    Invariant.check(underWay.size() <= limits.window(), "the window is kept", this);
    Invariant.check(early.size() < limits.window(), "what is early fits in the window", this);
    Invariant.check(queue.size() <= limits.maxQueued(), "the queue is bounded", this);
    Invariant.check(
        early.isEmpty() || early.firstKey() > delivered + 1, "nothing waits in its turn", this);
    long expected = lastSequence - underWay.size();
    for (Sent<M> sent : underWay) {
      Invariant.check(sent.sequence == ++expected, "what is under way has no gaps", this);
    }
    Invariant.check(
        state == LinkState.UP || underWay.isEmpty() && delivered == 0,
        "messages flow only between ends that know each other",
        this);
  }

  @Override
  public String toString() {
    return state + " from " + self + " to " + peer + ", " + pending() + " pending";
  }
}
