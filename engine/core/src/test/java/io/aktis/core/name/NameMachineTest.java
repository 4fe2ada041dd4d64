package io.aktis.core.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.name.NameAnswer.Absent;
import io.aktis.core.name.NameAnswer.Done;
import io.aktis.core.name.NameAnswer.Held;
import io.aktis.core.name.NameEffect.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has a name, and who is told so. */
class NameMachineTest {
  private static final long SETTLED_AT_MS = 1_000;
  private static final Name NAME = new Name(Name.Kind.ACTOR, "default", "counter");
  private static final long ONE = 11;
  private static final long TWO = 21;
  private static final Done DONE = new Done();

  private final NameMachine machine = new NameMachine(SETTLED_AT_MS);
  private final List<NameEffect> effects = new ArrayList<>();
  private long nowMs = SETTLED_AT_MS;

  private List<NameEffect> tell(NameEvent event) {
    effects.clear();
    machine.on(event, nowMs, effects::add);
    machine.validate();
    return List.copyOf(effects);
  }

  private List<NameEffect> claim(long owner, Name name, long actor) {
    return tell(new NameEvent.Claimed(owner, 7, name, actor, false));
  }

  private List<NameEffect> ask(long owner, Name name) {
    return tell(new NameEvent.Asked(owner, 8, name));
  }

  @Test
  void claim_ofAFreeName_isFoundByAll() {
    assertThat(claim(1, NAME, ONE)).containsExactly(new Answer(1, 7, DONE));
    assertThat(ask(2, NAME)).containsExactly(new Answer(2, 8, new Held(1, ONE)));
  }

  @Test
  void claim_ofATakenName_tellsWhoHasIt() {
    claim(1, NAME, ONE);
    assertThat(claim(2, NAME, TWO)).containsExactly(new Answer(2, 7, new Held(1, ONE)));
    assertThat(claim(1, NAME, 12))
        .as("by the owner of the other")
        .containsExactly(new Answer(1, 7, new Held(1, ONE)));
    assertThat(claim(1, NAME, ONE)).as("twice").containsExactly(new Answer(1, 7, DONE));
  }

  @Test
  void ask_forANameThatIsElsewhere_tellsTheNamespaces() {
    claim(1, new Name(Name.Kind.ACTOR, "b", "counter"), ONE);
    claim(2, new Name(Name.Kind.ACTOR, "a", "counter"), TWO);
    assertThat(ask(3, NAME)).containsExactly(new Answer(3, 8, new Absent(List.of("a", "b"))));
  }

  @Test
  void forget_ofANameFreesIt_butOnlyForItsActor() {
    claim(1, NAME, ONE);
    tell(new NameEvent.Forgotten(2, 9, NAME, ONE));
    tell(new NameEvent.Forgotten(1, 9, NAME, 12));
    assertThat(ask(3, NAME)).containsExactly(new Answer(3, 8, new Held(1, ONE)));

    assertThat(tell(new NameEvent.Forgotten(1, 9, NAME, ONE)))
        .containsExactly(new Answer(1, 9, DONE));
    assertThat(claim(2, NAME, TWO)).containsExactly(new Answer(2, 7, DONE));
  }

  @Test
  void owner_thatIsGone_leavesNoNames() {
    claim(1, NAME, ONE);
    claim(1, new Name(Name.Kind.ACTOR, "other", "x"), 12);
    tell(new NameEvent.OwnerGone(1));
    assertThat(machine.all()).isEmpty();
    assertThat(claim(2, NAME, TWO)).containsExactly(new Answer(2, 7, DONE));
  }

  @Test
  void directory_thatIsNew_holdsBackWhatItCannotKnow() {
    nowMs = 0;
    assertThat(claim(2, NAME, TWO)).isEmpty();
    assertThat(ask(3, new Name(Name.Kind.ACTOR, "default", "never"))).isEmpty();
    assertThat(tell(new NameEvent.Claimed(1, 5, NAME, ONE, true)))
        .as("who has it tells so, and who wants it is answered")
        .containsExactly(new Answer(1, 5, DONE), new Answer(2, 7, new Held(1, ONE)));

    nowMs = SETTLED_AT_MS;
    assertThat(tell(new NameEvent.Tick())).containsExactly(new Answer(3, 8, new Absent(List.of())));
  }

  @Test
  void directory_thatIsNew_forgetsWhatOwnersThatAreGoneWanted() {
    nowMs = 0;
    claim(2, NAME, TWO);
    claim(3, NAME, 31);
    tell(new NameEvent.OwnerGone(2));
    nowMs = SETTLED_AT_MS;
    assertThat(tell(new NameEvent.Tick())).containsExactly(new Answer(3, 7, DONE));
  }

  @Test
  void claimAgain_ofANameThatSomebodyElseGot_isToldWho() {
    claim(2, NAME, TWO);
    assertThat(tell(new NameEvent.Claimed(1, 5, NAME, ONE, true)))
        .containsExactly(new Answer(1, 5, new Held(2, TWO)));
  }

  /** Against a plain map of names. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void requests_atRandom_areAnsweredOnceAndAsOfAMap(long seed) {
    Random random = new Random(seed);
    Map<Name, Held> model = new HashMap<>();
    for (long request = 1; request <= 2_000; request++) {
      long owner = 1L + random.nextInt(4);
      Name name = new Name(Name.Kind.ACTOR, "n" + random.nextInt(3), "a" + random.nextInt(5));
      long actor = owner * 10 + 1L + random.nextInt(3);
      Held mine = new Held(owner, actor);
      switch (random.nextInt(8)) {
        case 0 -> {
          tell(new NameEvent.OwnerGone(owner));
          model.values().removeIf(held -> held.owner() == owner);
        }
        case 1, 2 -> {
          tell(new NameEvent.Forgotten(owner, request, name, actor));
          model.remove(name, mine);
        }
        case 3, 4 ->
            assertThat(tell(new NameEvent.Asked(owner, request, name)))
                .singleElement()
                .isInstanceOfSatisfying(
                    Answer.class,
                    answer -> {
                      Held held = model.get(name);
                      if (held == null) {
                        assertThat(answer.answer()).isInstanceOf(Absent.class);
                      } else {
                        assertThat(answer.answer()).isEqualTo(held);
                      }
                    });
        default -> {
          Held before = model.putIfAbsent(name, mine);
          assertThat(tell(new NameEvent.Claimed(owner, request, name, actor, false)))
              .containsExactly(
                  new Answer(
                      owner, request, before == null || before.equals(mine) ? DONE : before));
        }
      }
      assertThat(machine.all()).isEqualTo(model);
    }
  }
}
