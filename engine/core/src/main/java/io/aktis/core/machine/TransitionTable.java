package io.aktis.core.machine;

import io.aktis.core.invariant.BrokenInvariantError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a machine as data: (state, event kind) to state, in one place.
 *
 * <p>Each pair is one of three: it <em>moves</em> (or stays, when the event is work without a
 * change of state), it is <em>ignored</em> because late and repeated messages are normal there, or
 * it is <em>illegal</em>: the machine never meets it, and when it does, that is a bug of ours and
 * {@link #next} throws. What nobody declared is illegal, so a new event cannot be forgotten
 * silently.
 *
 * <p>A pair has one target. Where an event leads to one of several states, depending on what the
 * machine knows (a failed attempt that is retried or not), the machine decides first and names the
 * outcome as a kind of its own.
 *
 * <p>Immutable and safe for any thread. A lookup is one array access.
 *
 * @param <S> the states
 * @param <E> the kinds of events
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {
  private final S[] states;
  private final E[] events;
  private final S start;
  private final EnumSet<S> ends;

  /** By state and event; null where the pair is illegal or ignored. */
  private final List<@Nullable S> targets;

  private final boolean[] ignored;

  private TransitionTable(Builder<S, E> builder, S start) {
    this.states = builder.states;
    this.events = builder.events;
    this.start = start;
    this.ends = EnumSet.copyOf(builder.ends);
    this.targets = new ArrayList<>(builder.targets);
    this.ignored = builder.ignored.clone();
  }

  /** Starts a table over all values of two enums. */
  public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> of(
      Class<S> states, Class<E> events) {
    return new Builder<>(states, events);
  }

  /** Returns the state in which a machine begins. */
  public S start() {
    return start;
  }

  /** Tells whether nothing moves out of {@code state}. */
  public boolean isEnd(S state) {
    return ends.contains(state);
  }

  /**
   * Returns the state after {@code event}; the same state when the event is ignored or stays there.
   *
   * @throws BrokenInvariantError when the event is illegal in this state
   */
  public S next(S state, E event) {
    int cell = cell(state, event);
    S target = targets.get(cell);
    if (target != null) {
      return target;
    }
    if (ignored[cell]) {
      return state;
    }
    throw new BrokenInvariantError(state + " does not expect " + event);
  }

  /** Tells whether {@code event} is dropped in {@code state} without any work. */
  public boolean ignores(S state, E event) {
    return ignored[cell(state, event)];
  }

  /** Tells whether {@code event} moves or stays in {@code state}: neither ignored nor illegal. */
  public boolean accepts(S state, E event) {
    return targets.get(cell(state, event)) != null;
  }

  /** Returns a Markdown table, a row for each event and a column for each state. */
  public String toMarkdown() {
    StringBuilder out = new StringBuilder("| event \\ state |");
    StringBuilder rule = new StringBuilder("|---|");
    for (S state : states) {
      out.append(' ')
          .append(state)
          .append(state == start ? " (start)" : isEnd(state) ? " (end)" : "")
          .append(" |");
      rule.append("---|");
    }
    out.append('\n').append(rule).append('\n');
    for (E event : events) {
      out.append("| ").append(event).append(" |");
      for (S state : states) {
        out.append(' ').append(word(state, event)).append(" |");
      }
      out.append('\n');
    }
    return out.toString();
  }

  /** Returns a Mermaid state diagram; arrows between the same two states share one line. */
  public String toMermaid() {
    StringBuilder out =
        new StringBuilder("stateDiagram-v2\n    [*] --> ").append(start).append('\n');
    for (S from : states) {
      for (S to : states) {
        List<String> labels = new ArrayList<>();
        for (E event : events) {
          if (targets.get(cell(from, event)) == to) {
            labels.add(event.toString());
          }
        }
        if (!labels.isEmpty()) {
          out.append("    ").append(from).append(" --> ").append(to);
          out.append(" : ").append(String.join(", ", labels)).append('\n');
        }
      }
    }
    for (S end : ends) {
      out.append("    ").append(end).append(" --> [*]\n");
    }
    return out.toString();
  }

  @Override
  public String toString() {
    return toMarkdown();
  }

  private String word(S state, E event) {
    S target = targets.get(cell(state, event));
    if (target != null) {
      return target == state ? "stays" : "→ " + target;
    }
    return ignored[cell(state, event)] ? "ignored" : "—";
  }

  private int cell(S state, E event) {
    return state.ordinal() * events.length + event.ordinal();
  }

  /**
   * Collects the pairs of a table. Confined to one caller.
   *
   * @param <S> the states
   * @param <E> the kinds of events
   */
  public static final class Builder<S extends Enum<S>, E extends Enum<E>> {
    private final S[] states;
    private final E[] events;
    private final EnumSet<S> ends;
    private final List<@Nullable S> targets = new ArrayList<>();
    private final boolean[] ignored;
    private @Nullable S start;

    private Builder(Class<S> states, Class<E> events) {
      this.states = states.getEnumConstants();
      this.events = events.getEnumConstants();
      this.ends = EnumSet.noneOf(states);
      this.ignored = new boolean[this.states.length * this.events.length];
      for (int i = 0; i < ignored.length; i++) {
        targets.add(null);
      }
    }

    /** Names the state in which a machine begins. */
    public Builder<S, E> startsIn(S state) {
      start = state;
      return this;
    }

    /** Names a state that nothing leaves. */
    public Builder<S, E> endsIn(S state) {
      ends.add(state);
      return this;
    }

    /** Declares that {@code event} moves {@code from} to {@code to}. */
    public Builder<S, E> on(S from, E event, S to) {
      targets.set(free(from, event), to);
      return this;
    }

    /** Declares that {@code events} are work in {@code state} without a change of state. */
    @SafeVarargs
    public final Builder<S, E> stays(S state, E... kinds) {
      for (E kind : kinds) {
        targets.set(free(state, kind), state);
      }
      return this;
    }

    /** Declares that {@code events} are dropped in {@code state}. */
    @SafeVarargs
    public final Builder<S, E> ignores(S state, E... kinds) {
      for (E kind : kinds) {
        ignored[free(state, kind)] = true;
      }
      return this;
    }

    /**
     * Checks the whole and returns the table.
     *
     * @throws IllegalStateException when there is no start, an end is left, or a state is never
     *     reached
     */
    public TransitionTable<S, E> build() {
      S first = start;
      if (first == null) {
        throw new IllegalStateException("a table needs the state in which it starts");
      }
      for (S end : ends) {
        for (E event : events) {
          S target = targets.get(end.ordinal() * events.length + event.ordinal());
          require(target == null || target == end, end + " is an end, yet " + event + " leaves it");
        }
      }
      for (S state : states) {
        require(reached(first).contains(state), state + " is never reached from " + first);
      }
      return new TransitionTable<>(this, first);
    }

    private EnumSet<S> reached(S first) {
      EnumSet<S> seen = EnumSet.of(first);
      ArrayDeque<S> open = new ArrayDeque<>(seen);
      while (!open.isEmpty()) {
        S from = open.remove();
        for (E event : events) {
          S to = targets.get(from.ordinal() * events.length + event.ordinal());
          if (to != null && seen.add(to)) {
            open.add(to);
          }
        }
      }
      return seen;
    }

    private int free(S state, E event) {
      int cell = state.ordinal() * events.length + event.ordinal();
      require(
          targets.get(cell) == null && !ignored[cell],
          state + " with " + event + " is declared twice");
      return cell;
    }

    private static void require(boolean holds, String otherwise) {
      if (!holds) {
        throw new IllegalStateException(otherwise);
      }
    }
  }
}
