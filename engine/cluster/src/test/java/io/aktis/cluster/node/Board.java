package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership;
import java.util.ArrayList;
import java.util.List;

/** A membership that all share, in the order of their coming. */
final class Board {
  private final List<Membership.Member> members = new ArrayList<>();
  private final List<Membership.Listener> listeners = new ArrayList<>();

  synchronized void up(Membership.Member member) {
    members.add(member);
    listeners.forEach(listener -> listener.up(member));
  }

  synchronized void gone(Membership.Member member) {
    if (members.remove(member)) {
      listeners.forEach(listener -> listener.gone(member));
    }
  }

  synchronized void reverse() {
    List<Membership.Member> reversed = List.copyOf(members.reversed());
    members.clear();
    members.addAll(reversed);
    listeners.forEach(Membership.Listener::ordered);
  }

  synchronized void listen(Membership.Listener listener) {
    listeners.add(listener);
    members.forEach(listener::up);
  }

  synchronized List<Membership.Member> members() {
    return List.copyOf(members);
  }

  Membership join(Membership.Member self) {
    up(self);
    return new Membership() {
      @Override
      public String controlAddress() {
        return "";
      }

      @Override
      public List<Member> members() {
        return Board.this.members();
      }

      @Override
      public void listen(Listener listener) {
        Board.this.listen(listener);
      }

      @Override
      public void close() {
        gone(self);
      }
    };
  }
}
