package io.aktis.cluster.membership;

import io.aktis.core.id.NodeId;
import java.util.List;
import java.util.Set;

/**
 * How a node describes itself to the others: as roles, because these come together with the
 * membership. There is no moment in which a member is known and its description is not.
 */
final class Roles {
  static final String CANDIDATE = "aktis.candidate=true";

  private static final String ID = "aktis.node=";
  private static final String ADDRESS = "aktis.address=";
  private static final String MACHINE = "aktis.machine=";

  private Roles() {}

  static List<String> of(Membership.Member member) {
    NodeId id = member.id();
    String number = Long.toHexString(id.owner()) + "-" + Long.toHexString(id.number());
    List<String> roles =
        List.of(ID + number, ADDRESS + member.address(), MACHINE + member.machineId());
    return member.candidate()
        ? List.of(roles.get(0), roles.get(1), roles.get(2), CANDIDATE)
        : roles;
  }

  static Membership.Member read(Set<String> roles) {
    String[] id = value(roles, ID).split("-", -1);
    NodeId node = new NodeId(Long.parseUnsignedLong(id[0], 16), Long.parseUnsignedLong(id[1], 16));
    return new Membership.Member(
        node, value(roles, ADDRESS), value(roles, MACHINE), roles.contains(CANDIDATE));
  }

  static String machine(Set<String> roles) {
    return value(roles, MACHINE);
  }

  private static String value(Set<String> roles, String key) {
    for (String role : roles) {
      if (role.startsWith(key)) {
        return role.substring(key.length());
      }
    }
    throw new IllegalStateException("a member does not say its " + key + "; it says " + roles);
  }
}
