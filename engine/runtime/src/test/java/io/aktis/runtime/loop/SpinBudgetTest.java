package io.aktis.runtime.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SpinBudgetTest {
  private final SpinBudget budget = new SpinBudget();
  private int questions;

  @Test
  void look_forWhatIsThere_findsItAtOnce() {
    assertThat(budget.look(() -> true)).isTrue();
  }

  @Test
  void look_forWhatComesSoon_findsIt() {
    assertThat(budget.look(() -> ++questions > 10)).isTrue();
  }

  @Test
  void look_whenItKeepsFailing_pausesAndTriesAgainMoreAndMoreSeldom() {
    int[] trials = new int[3];
    for (int part = 0; part < trials.length; part++) {
      for (int i = 0; i < 2_000; i++) {
        trials[part] += looksInVain() > 1 ? 1 : 0;
      }
    }

    assertThat(trials[0]).isPositive().isLessThan(30);
    assertThat(trials[2]).isPositive().isLessThan(trials[0]);
  }

  @Test
  void look_afterFailures_goesOnAgainWhenATrialSucceeds() {
    for (int i = 0; i < 1_000; i++) {
      looksInVain();
    }
    int found = 0;
    for (int i = 0; i < 5_000; i++) {
      questions = 0;
      found += budget.look(() -> ++questions > 2) ? 1 : 0;
    }
    assertThat(found).isGreaterThan(1_000);
  }

  private int looksInVain() {
    questions = 0;
    assertThat(budget.look(() -> ++questions < 0)).isFalse();
    return questions;
  }
}
