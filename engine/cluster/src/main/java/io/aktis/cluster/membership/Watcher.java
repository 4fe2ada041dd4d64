package io.aktis.cluster.membership;

import io.aktis.cluster.rpc.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Comparator;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.UniqueAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what the cluster says of its members and keeps the {@link Roster}.
 *
 * <p>A member is there when it is up (or weakly up: accepted while another is unreachable). It is
 * gone when it says that it leaves, which is the last thing that it does, or when it is downed or
 * removed. Being unreachable alone means nothing, with one exception: when the member lies on this
 * same machine and the system says that nobody listens on its port, its process is dead for sure,
 * and nobody needs to find out which side is larger.
 */
final class Watcher extends AbstractActor {
  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);
  private static final int PROBE_TIMEOUT_MS = 1_000;

  /** A process of this machine does not listen any more. */
  private record Dead(UniqueAddress address) {}

  private final Roster roster;
  private final Runnable onSelfUp;
  private final Cluster cluster = Cluster.get(getContext().getSystem());

  private Watcher(Roster roster, Runnable onSelfUp) {
    this.roster = roster;
    this.onSelfUp = onSelfUp;
  }

  static Props props(Roster roster, Runnable onSelfUp) {
    return Props.create(Watcher.class, () -> new Watcher(roster, onSelfUp));
  }

  @Override
  public void preStart() {
    cluster.subscribe(
        getSelf(),
        ClusterEvent.initialStateAsSnapshot(),
        ClusterEvent.MemberEvent.class,
        ClusterEvent.UnreachableMember.class);
  }

  @Override
  public void postStop() {
    cluster.unsubscribe(getSelf());
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(ClusterEvent.CurrentClusterState.class, this::found)
        .match(ClusterEvent.MemberEvent.class, event -> changed(event.member()))
        .match(ClusterEvent.UnreachableMember.class, event -> unreachable(event.member()))
        .match(Dead.class, this::dead)
        .build();
  }

  /** The others first: who hears that this node is up may ask for all of them. */
  private void found(ClusterEvent.CurrentClusterState state) {
    StreamSupport.stream(state.getMembers().spliterator(), false)
        .sorted(Comparator.comparing(this::isSelf))
        .forEach(this::changed);
    state.getUnreachable().forEach(this::unreachable);
  }

  private void changed(Member member) {
    MemberStatus status = member.status();
    if (status.equals(MemberStatus.up()) || status.equals(MemberStatus.weaklyUp())) {
      roster.up(member);
      if (isSelf(member)) {
        onSelfUp.run();
      }
    } else if (!isSelf(member) && !status.equals(MemberStatus.joining())) {
      roster.gone(member);
    }
  }

  private boolean isSelf(Member member) {
    return member.uniqueAddress().equals(cluster.selfUniqueAddress());
  }

  private void unreachable(Member member) {
    String machine = Roles.machine(cluster.selfMember().getRoles());
    if (!Roles.machine(member.getRoles()).equals(machine)) {
      return;
    }
    ActorRef self = getSelf();
    HostPort port = hostPort(member.address());
    Thread.ofVirtual()
        .name("aktis-probe-" + port)
        .start(() -> {
          if (refusesConnections(port)) {
            self.tell(new Dead(member.uniqueAddress()), ActorRef.noSender());
          }
        });
  }

  /**
   * Returns whether the system of that host says that nobody listens there. Neither an answer nor
   * silence does that.
   */
  private static boolean refusesConnections(HostPort port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(port.host(), port.port()), PROBE_TIMEOUT_MS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // silence, or no way there
    }
  }

  static HostPort hostPort(Address address) {
    return new HostPort(
        address.getHost().orElseThrow(() -> new IllegalStateException(address + " has no host")),
        address.getPort().orElseThrow(() -> new IllegalStateException(address + " has no port")));
  }

  /** By now another life may be at that address, which has pushed this one out. */
  private void dead(Dead dead) {
    if (roster.has(dead.address)) {
      LOG.warn("{} is dead: nobody listens on its port on this machine", dead.address);
      cluster.down(dead.address.address());
    }
  }
}
