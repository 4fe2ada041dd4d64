package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.Member$;
import org.apache.pekko.cluster.UniqueAddress;
import org.apache.pekko.cluster.sbr.DowningStrategy;
import org.apache.pekko.util.Version;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Set;
import scala.collection.immutable.Set$;

/** Which side of a cut lives on. The first members are on this side, the rest on the other. */
final class HeadMajorityTest {
  private static final String DATA_CENTER = "dc-default";
  private static final DowningStrategy.Decision LIVE = DowningStrategy.DownUnreachable$.MODULE$;
  private static final DowningStrategy.Decision END = DowningStrategy.DownReachable$.MODULE$;
  private static final DowningStrategy.Decision ALL_END = DowningStrategy.DownAll$.MODULE$;

  private final List<Member> members = new ArrayList<>();

  @Test
  void decide_withMoreOnThisSide_lives() {
    add("node", "node", "head");
    assertThat(decide(2)).isEqualTo(LIVE);
  }

  @Test
  void decide_withFewerOnThisSide_endsEvenWithTheHead() {
    add("head", "node", "node");
    assertThat(decide(1)).isEqualTo(END);
  }

  @Test
  void decide_withAsManyOnBothSides_livesWhereTheHeadIs() {
    add("node", "head");
    assertThat(decide(1)).isEqualTo(END);
    members.clear();
    add("head", "node");
    assertThat(decide(1)).isEqualTo(LIVE);
  }

  @Test
  void decide_withAsManyOnBothSidesAndNoHead_livesWhereTheLowestAddressIs() {
    add("node", "node");
    assertThat(decide(1)).isEqualTo(LIVE);
    members.addAll(List.of(members.removeFirst()));
    assertThat(decide(1)).isEqualTo(END);
  }

  @Test
  void decide_withAsManyOnBothSidesAndSeveralThatCanBeTheHead_livesWhereTheOldestIs() {
    add("node", "head", "head", "node");
    assertThat(decide(2)).isEqualTo(LIVE);
    members.addAll(List.of(members.removeFirst(), members.removeFirst()));
    assertThat(decide(2)).isEqualTo(END);
  }

  @Test
  void decide_whenJoiningOnesMayBeUpOnTheOtherSide_endsAllIfThatCouldTurnIt() {
    add("node", "node", "head", "joining");
    assertThat(decide(2)).isEqualTo(ALL_END);
    members.clear();
    add("node", "head", "node", "joining");
    assertThat(decide(3)).isEqualTo(LIVE);
  }

  private void add(String... kinds) {
    for (String kind : kinds) {
      int port = 7001 + members.size();
      Address address = new Address("pekko", "aktis", "127.0.0.1", port);
      Set<String> roles = Set$.MODULE$.<String>empty().incl(DATA_CENTER);
      roles = kind.equals("head") ? roles.incl(Roles.CANDIDATE) : roles;
      Member member =
          Member$.MODULE$.apply(new UniqueAddress(address, (long) port), roles, Version.Zero());
      members.add(kind.equals("joining") ? member : member.copyUp(members.size() + 1));
    }
  }

  private DowningStrategy.Decision decide(int onThisSide) {
    HeadMajority strategy = new HeadMajority("default", members.getFirst().uniqueAddress());
    members.forEach(strategy::add);
    members.stream().skip(onThisSide).forEach(strategy::addUnreachable);
    return strategy.decide();
  }
}
