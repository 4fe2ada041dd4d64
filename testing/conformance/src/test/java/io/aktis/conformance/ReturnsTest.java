package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.TaskFailedException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Notes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tasks with several results. */
@EngineTest(cpus = 1)
class ReturnsTest {
  @Test
  @Semantics("2.returns.several")
  void returns_list_givesOneReferenceEach() {
    List<ObjectRef<String>> refs =
        Aktis.task(() -> List.of("a", "b", "c")).returns(3, String.class).remote();

    assertThat(refs).hasSize(3);
    assertThat(refs.get(2).get()).isEqualTo("c");
    assertThat(Aktis.<String>get(refs)).containsExactly("a", "b", "c");
  }

  @Test
  @Semantics("2.returns.several")
  void returns_array_givesOneReferenceEach() {
    List<ObjectRef<String>> refs =
        Aktis.task(() -> new String[] {"a", "b"}).returns(2, String.class).remote();

    assertThat(Aktis.<String>get(refs)).containsExactly("a", "b");
  }

  @Test
  @Semantics("2.returns.several")
  void returns_oneReferenceAsAnArgument_passesThatResult() {
    List<ObjectRef<Integer>> refs =
        Aktis.task(() -> List.of(1, 20)).returns(2, Integer.class).remote();

    assertThat(Aktis.task(Integer::sum, refs.get(1), refs.get(0)).remote().get()).isEqualTo(21);
  }

  @Test
  @Semantics("2.returns.several")
  void returns_once_runsTheCodeOnce() {
    Notes runs = Notes.empty();

    Aktis.<Integer>get(Aktis.task(ReturnsTest::notedPair, runs).returns(2, Integer.class).remote());

    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  @Semantics("2.returns.wrong")
  void returns_wrongNumber_failsEveryResult() {
    List<ObjectRef<Integer>> tooFew =
        Aktis.task(() -> List.of(1, 2)).returns(3, Integer.class).remote();
    List<ObjectRef<Integer>> tooMany =
        Aktis.task(() -> List.of(1, 2)).returns(1, Integer.class).remote();

    assertThat(tooFew)
        .allSatisfy(ref ->
            assertThatThrownBy(ref::get)
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining("2")
                .hasMessageContaining("3"));
    assertThatThrownBy(tooMany.getFirst()::get).isInstanceOf(TaskFailedException.class);
  }

  @Test
  @Semantics("2.returns.wrong")
  void returns_wrongClass_failsTheTask() {
    List<ObjectRef<String>> refs =
        Aktis.task(() -> List.of(1, 2)).returns(2, String.class).remote();

    assertThatThrownBy(refs.getFirst()::get)
        .isInstanceOf(TaskFailedException.class)
        .hasMessageContaining("String");
  }

  @Test
  @Semantics("2.returns.wrong")
  void returns_neitherListNorArray_failsTheTask() {
    List<ObjectRef<Integer>> refs = Aktis.task(() -> 1).returns(2, Integer.class).remote();

    assertThatThrownBy(refs.getFirst()::get).isInstanceOf(TaskFailedException.class);
  }

  static List<Integer> notedPair(Notes runs) {
    runs.add("ran");
    return List.of(1, 2);
  }
}
