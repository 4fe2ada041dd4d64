package io.aktis.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.invariant.BrokenInvariantError;
import org.junit.jupiter.api.Test;

class TransitionTableTest {
  enum Light {
    RED,
    GREEN,
    BROKEN
  }

  enum Kind {
    SWITCH,
    TICK,
    FAIL
  }

  private static final TransitionTable<Light, Kind> TABLE =
      TransitionTable.of(Light.class, Kind.class)
          .startsIn(Light.RED)
          .on(Light.RED, Kind.SWITCH, Light.GREEN)
          .stays(Light.RED, Kind.TICK)
          .on(Light.GREEN, Kind.SWITCH, Light.RED)
          .on(Light.GREEN, Kind.FAIL, Light.BROKEN)
          .ignores(Light.BROKEN, Kind.SWITCH, Kind.TICK)
          .endsIn(Light.BROKEN)
          .build();

  @Test
  void next_declaredPair_movesStaysOrIgnores() {
    assertThat(TABLE.start()).isEqualTo(Light.RED);
    assertThat(TABLE.next(Light.RED, Kind.SWITCH)).isEqualTo(Light.GREEN);
    assertThat(TABLE.next(Light.RED, Kind.TICK)).isEqualTo(Light.RED);
    assertThat(TABLE.accepts(Light.RED, Kind.TICK)).isTrue();
    assertThat(TABLE.next(Light.BROKEN, Kind.TICK)).isEqualTo(Light.BROKEN);
    assertThat(TABLE.ignores(Light.BROKEN, Kind.TICK)).isTrue();
    assertThat(TABLE.ignores(Light.RED, Kind.TICK)).isFalse();
    assertThat(TABLE.isEnd(Light.BROKEN)).isTrue();
  }

  @Test
  void next_illegalPair_breaksTheInvariant() {
    assertThatThrownBy(() -> TABLE.next(Light.RED, Kind.FAIL))
        .isInstanceOf(BrokenInvariantError.class)
        .hasMessage("RED does not expect FAIL");
    assertThat(TABLE.accepts(Light.RED, Kind.FAIL)).isFalse();
  }

  @Test
  void build_declaredTwice_refuses() {
    var builder = TransitionTable.of(Light.class, Kind.class).stays(Light.RED, Kind.TICK);

    assertThatThrownBy(() -> builder.ignores(Light.RED, Kind.TICK))
        .hasMessageContaining("declared twice");
  }

  @Test
  void build_unreachableOrLeftEndOrNoStart_refuses() {
    var unreachable = TransitionTable.of(Light.class, Kind.class).startsIn(Light.RED);
    var left = TransitionTable.of(Light.class, Kind.class).startsIn(Light.RED).endsIn(Light.RED);
    left.on(Light.RED, Kind.SWITCH, Light.GREEN);

    assertThatThrownBy(unreachable::build).hasMessageContaining("GREEN is never reached from RED");
    assertThatThrownBy(left::build).hasMessageContaining("RED is an end, yet SWITCH leaves it");
    assertThatThrownBy(() -> TransitionTable.of(Light.class, Kind.class).build())
        .hasMessageContaining("needs the state in which it starts");
  }

  @Test
  void toMarkdown_everyPair_isShown() {
    assertThat(TABLE.toMarkdown())
        .isEqualTo(
            """
            | event \\ state | RED (start) | GREEN | BROKEN (end) |
            |---|---|---|---|
            | SWITCH | → GREEN | → RED | ignored |
            | TICK | stays | — | ignored |
            | FAIL | — | → BROKEN | — |
            """);
  }

  @Test
  void toMermaid_everyMove_isShown() {
    assertThat(TABLE.toMermaid())
        .isEqualTo(
            """
            stateDiagram-v2
                [*] --> RED
                RED --> RED : TICK
                RED --> GREEN : SWITCH
                GREEN --> RED : SWITCH
                GREEN --> BROKEN : FAIL
                BROKEN --> [*]
            """);
  }
}
