package io.aktis.cluster.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.UniqueAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is there, and who wants to hear of it. Thread-safe: changes come from the watcher, one after
 * the other; listeners from anywhere. Listeners are called while the lock is held, which is what
 * makes it one at a time and in order for each; so they must not wait for another thread.
 */
final class Roster {
  private static final Logger LOG = LoggerFactory.getLogger(Roster.class);
  private static final Comparator<Entry> BY_AGE =
      (a, b) -> a.peer.isOlderThan(b.peer) ? -1 : b.peer.isOlderThan(a.peer) ? 1 : 0;

  private record Entry(Member peer, Membership.Member member) {}

  private final Map<UniqueAddress, Entry> present = new LinkedHashMap<>();
  private final List<Membership.Listener> listeners = new ArrayList<>();
  private volatile List<Membership.Member> members = List.of();
  private boolean closed;

  List<Membership.Member> members() {
    return members;
  }

  synchronized void listen(Membership.Listener listener) {
    members.forEach(member -> tell(listener, member, true));
    listeners.add(listener);
  }

  /** A member is up, or has changed its age. What was at its address before is gone. */
  synchronized void up(Member peer) {
    if (closed) {
      return;
    }
    List.copyOf(present.values()).stream()
        .filter(entry -> isEarlierLife(entry.peer, peer))
        .forEach(entry -> gone(entry.peer));
    Entry entry = new Entry(peer, Roles.read(peer.getRoles()));
    boolean isNew = present.put(peer.uniqueAddress(), entry) == null;
    publish();
    if (isNew) {
      listeners.forEach(listener -> tell(listener, entry.member, true));
    } else {
      listeners.forEach(Roster::tellOrder);
    }
  }

  private static boolean isEarlierLife(Member known, Member peer) {
    return known.address().equals(peer.address())
        && !known.uniqueAddress().equals(peer.uniqueAddress());
  }

  /** A member is gone; it may have been gone before. */
  synchronized void gone(Member peer) {
    Entry entry = closed ? null : present.remove(peer.uniqueAddress());
    if (entry != null) {
      publish();
      listeners.forEach(listener -> tell(listener, entry.member, false));
    }
  }

  synchronized boolean has(UniqueAddress address) {
    return present.containsKey(address);
  }

  /** Nothing changes any more and nobody hears of anything. */
  synchronized void close() {
    closed = true;
    listeners.clear();
  }

  private void publish() {
    members = present.values().stream().sorted(BY_AGE).map(Entry::member).toList();
  }

  private static void tellOrder(Membership.Listener listener) {
    try {
      listener.ordered();
    } catch (RuntimeException e) {
      LOG.error("a listener failed on another order of the members", e);
    }
  }

  /** A listener that throws is broken; the others must hear nevertheless. */
  private static void tell(Membership.Listener listener, Membership.Member member, boolean up) {
    try {
      if (up) {
        listener.up(member);
      } else {
        listener.gone(member);
      }
    } catch (RuntimeException e) {
      LOG.error("a listener failed on {} of {}", up ? "the coming" : "the end", member, e);
    }
  }
}
