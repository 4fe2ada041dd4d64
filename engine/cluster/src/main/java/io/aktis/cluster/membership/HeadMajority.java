package io.aktis.cluster.membership;

import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.sbr.DowningStrategy;
import scala.Option;
import scala.collection.immutable.SortedSet;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Which side lives on when the nodes of the cluster cannot all reach each other: the one with more
 * members; of two with as many, the one with the head, which is the oldest that can be it; without
 * a head, the one with the lowest address.
 *
 * <p>Pekko's own majority differs in the second rule only: it has the lowest address there. In a
 * cluster of two, the head would then end when the other machine fails, or not, as the addresses
 * happen to be. Here the head lives, and a node that loses the head and is alone ends itself.
 *
 * <p>The base class is open for inheritance in fact but not by promise of Pekko, so a new version
 * of it needs a look here. Called by the resolver only, on one thread.
 */
final class HeadMajority extends DowningStrategy {
  HeadMajority(String dataCenter, UniqueAddress self) {
    super(dataCenter, self);
  }

  @Override
  public Option<String> role() {
    return Option.empty();
  }

  @Override
  public Decision decide() {
    if (hasIndirectlyConnected()) {
      return DowningStrategy.DownIndirectlyConnected$.MODULE$;
    }
    if (members().isEmpty()) {
      return DowningStrategy.DownAll$.MODULE$;
    }
    if (!wins(false)) {
      return DowningStrategy.DownReachable$.MODULE$;
    }
    return wins(true) ? DowningStrategy.DownUnreachable$.MODULE$ : DowningStrategy.DownAll$.MODULE$;
  }

  /**
   * Members may just have joined or left as the other side sees it and not as this one does. In the
   * worst case, who joins there counts there, and who leaves here does not count here. A side that
   * wins only without that cannot know that the other does not win as well; then it is safest that
   * all end.
   */
  private boolean wins(boolean inTheWorstCase) {
    SortedSet<Member> all = members(false, inTheWorstCase);
    if (all.isEmpty()) {
      return false;
    }
    int here = reachableMembers(false, inTheWorstCase).size();
    int there = unreachableMembers(inTheWorstCase, false).size();
    return here != there ? here > there : !unreachable(decider(all));
  }

  private static Member decider(SortedSet<Member> all) {
    Member oldest = null;
    for (Member member : CollectionConverters.asJava(all)) {
      if (member.hasRole(Roles.CANDIDATE) && (oldest == null || member.isOlderThan(oldest))) {
        oldest = member;
      }
    }
    return oldest != null ? oldest : all.head();
  }
}
