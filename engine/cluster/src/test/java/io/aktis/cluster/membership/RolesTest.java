package io.aktis.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.id.NodeId;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RolesTest {
  @Test
  void read_ofWhatWasWritten_isTheSame() {
    for (boolean head : new boolean[] {false, true}) {
      NodeId id = new NodeId(-1L, Long.MIN_VALUE);
      Membership.Member member = new Membership.Member(id, "[::1]:7000", "a=b-c:d ", head);

      assertThat(Roles.read(Set.copyOf(Roles.of(member)))).isEqualTo(member);
    }
  }

  @Test
  void read_ofOneThatIsNoNodeOfOurs_saysWhatIsMissing() {
    assertThatThrownBy(() -> Roles.read(Set.of("dc-default")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("aktis.node=")
        .hasMessageContaining("dc-default");
  }
}
