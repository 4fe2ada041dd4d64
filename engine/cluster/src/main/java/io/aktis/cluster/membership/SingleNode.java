package io.aktis.cluster.membership;

import java.util.List;

/** The membership of a cluster that has one node for as long as it lives. Thread-safe. */
public final class SingleNode implements Membership {
  private final Member self;

  /** Makes the membership of a cluster of this node. */
  public SingleNode(Member self) {
    this.self = self;
  }

  @Override
  public List<Member> members() {
    return List.of(self);
  }

  @Override
  public void listen(Listener listener) {
    listener.up(self);
  }

  @Override
  public String controlAddress() {
    return "";
  }

  @Override
  public void close() {}
}
