package io.aktis.core.resource;

import static io.aktis.core.resource.LabelSelector.Term.equalTo;
import static io.aktis.core.resource.LabelSelector.Term.exists;
import static io.aktis.core.resource.LabelSelector.Term.in;
import static io.aktis.core.resource.LabelSelector.Term.notExists;
import static io.aktis.core.resource.LabelSelector.Term.notIn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LabelSelectorTest {
  private static final SortedMap<String, String> NODE =
      new TreeMap<>(Map.of("zone", "a", "gpu-type", "h100"));

  @Test
  void term_eachKind_holdsAsItSays() {
    assertThat(equalTo("zone", "a").matches(NODE)).isTrue();
    assertThat(equalTo("zone", "b").matches(NODE)).isFalse();
    assertThat(in("zone", "b", "a").matches(NODE)).isTrue();
    assertThat(in("rack", "1").matches(NODE)).isFalse();
    assertThat(notIn("zone", "b", "c").matches(NODE)).isTrue();
    assertThat(notIn("zone", "a").matches(NODE)).isFalse();
    assertThat(notIn("rack", "1").matches(NODE)).isTrue();
    assertThat(exists("zone").matches(NODE)).isTrue();
    assertThat(exists("rack").matches(NODE)).isFalse();
    assertThat(notExists("rack").matches(NODE)).isTrue();
    assertThat(notExists("zone").matches(NODE)).isFalse();
  }

  @Test
  void selector_allTerms_mustHold() {
    assertThat(LabelSelector.all(equalTo("zone", "a"), exists("rack")).matches(NODE)).isFalse();
    assertThat(LabelSelector.all(equalTo("zone", "a"), exists("gpu-type")).matches(NODE)).isTrue();
    assertThat(LabelSelector.ANY.matches(new TreeMap<>())).isTrue();
  }

  @Test
  void rank_fallbacks_isTheFirstThatHolds() {
    LabelSelector selector =
        LabelSelector.all(equalTo("zone", "b")).orElse(equalTo("zone", "a")).orElse();

    assertThat(selector.rank(NODE)).isEqualTo(1);
    assertThat(selector.rank(new TreeMap<>())).isEqualTo(2);
    assertThat(selector).hasToString("zone = b or else zone = a or else any node");
    assertThat(LabelSelector.all(in("z", "b", "a"), notIn("y", "c"), exists("x"), notExists("w")))
        .hasToString("z in [a, b] and y != c and x exists and w does not exist");
  }

  @Test
  void selector_withoutAlternativesOrValues_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LabelSelector(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> in("zone"));
  }
}
