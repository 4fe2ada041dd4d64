package io.aktis.core.owner;

import static io.aktis.core.owner.OwnerBench.NODE_A;
import static io.aktis.core.owner.OwnerBench.inline;
import static io.aktis.core.owner.OwnerBench.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.invariant.BrokenInvariantError;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who holds an object, and what happens when nobody does. */
class OwnershipTest {
  private final OwnerBench bench = new OwnerBench();

  @Test
  void object_whoseLastReferenceIsClosed_hasItsCopyDeleted() {
    OwnedObject object = bench.putAt(NODE_A);
    bench.tell(new OwnerEvent.Retained(List.of(object)));
    bench.close(object);
    assertThat(bench.effects(OwnerEffect.DeleteCopy.class)).isEmpty();
    bench.close(object);
    assertThat(bench.effects(OwnerEffect.DeleteCopy.class))
        .containsExactly(new OwnerEffect.DeleteCopy(object, NODE_A));
    assertThat(object.state()).isEqualTo(OwnedObject.State.RELEASED);
    assertThat(bench.machine.storedObjects()).isZero();
  }

  @Test
  void reference_closedTwice_isABug() {
    OwnedObject object = bench.put();
    bench.close(object);
    assertThatThrownBy(() -> bench.close(object)).isInstanceOf(BrokenInvariantError.class);
  }

  @Test
  void object_thatNobodyCanAskFor_isReleasedWhateverTheCount() {
    OwnedObject object = bench.putAt(NODE_A);
    bench.tell(new OwnerEvent.Retained(List.of(object)));
    bench.tell(new OwnerEvent.Collected(object));
    assertThat(object.state()).isEqualTo(OwnedObject.State.RELEASED);
  }

  @Test
  void reference_closedAfterTheCollectorFoundIt_changesNothing() {
    OwnedObject object = bench.putAt(NODE_A);
    bench.tell(new OwnerEvent.Collected(object));
    bench.close(object);
    assertThat(object.state()).isEqualTo(OwnedObject.State.RELEASED);
  }

  @Test
  void argument_isHeldUntilTheTaskIsDone() {
    OwnedObject argument = bench.putAt(NODE_A);
    Task task = bench.task("t").with(argument).retries(1).submit();
    bench.close(argument);
    assertThat(argument.state()).isEqualTo(OwnedObject.State.STORED);
    bench.loseLease(bench.grant(), task);
    bench.grant();
    assertThat(argument.state()).isEqualTo(OwnedObject.State.STORED);
    bench.succeed(task);
    assertThat(argument.state()).isEqualTo(OwnedObject.State.RELEASED);
  }

  @Test
  void argument_ofATaskThatIsCancelled_isLetGo() {
    OwnedObject argument = bench.putAt(NODE_A);
    Task task = bench.task("t").with(argument).submit();
    bench.close(argument);
    bench.cancel(task);
    assertThat(argument.state()).isEqualTo(OwnedObject.State.RELEASED);
  }

  @Test
  void result_thatIsReleasedBeforeItIsThere_isDeletedWhenItComes() {
    Task task = bench.submit("t");
    bench.grant();
    bench.close(task.results()[0]);
    bench.succeed(task, stored(NODE_A));
    assertThat(bench.effects(OwnerEffect.DeleteCopy.class)).hasSize(1);
    assertThat(bench.machine.storedObjects()).isZero();
  }

  @Test
  void referenceInsideAValue_livesAsLongAsTheValue() {
    OwnedObject inner = bench.putAt(NODE_A);
    Task task = bench.submit("t");
    bench.grant();
    bench.succeed(task, inline(inner));
    bench.close(inner); // the task closes what it had
    assertThat(inner.state()).isEqualTo(OwnedObject.State.STORED);
    bench.close(task.results()[0]);
    assertThat(inner.state()).isEqualTo(OwnedObject.State.RELEASED);
  }

  @Test
  void referencesInsideReferences_areReleasedInTurn() {
    OwnedObject innermost = bench.putAt(NODE_A);
    OwnedObject middle = new OwnedObject(bench.submit("x").id().result(3), null, "put");
    bench.tell(new OwnerEvent.Put(middle, inline(innermost)));
    OwnedObject outer = new OwnedObject(bench.submit("y").id().result(3), null, "put");
    bench.tell(new OwnerEvent.Put(outer, stored(NODE_A, middle)));
    bench.close(innermost);
    bench.close(middle);
    assertThat(bench.machine.storedObjects()).isEqualTo(2);
    bench.close(outer);
    assertThat(bench.machine.storedObjects()).isZero();
  }

  @Test
  void chainOfReferences_ofAnyLength_isReleasedWithoutDepth() {
    OwnedObject last = bench.putAt(NODE_A);
    for (int i = 0; i < 50_000; i++) {
      OwnedObject outer = new OwnedObject(last.id(), null, "put");
      bench.machine.on(new OwnerEvent.Put(outer, inline(last)), 0, effect -> {});
      bench.machine.on(new OwnerEvent.Released(List.of(last)), 0, effect -> {});
      last = outer;
    }
    bench.close(last);
    assertThat(bench.machine.storedObjects()).isZero();
  }

  @Test
  void steadyLoop_ofPutPassGetDrop_leavesNothing() {
    for (int i = 0; i < 200; i++) {
      OwnedObject value = bench.putAt(NODE_A);
      Task task = bench.task("t").with(value).submit();
      bench.grantAll();
      bench.succeed(task, stored(NODE_A));
      bench.close(value);
      bench.close(task.results()[0]);
    }
    assertThat(bench.machine.storedObjects()).isZero();
    assertThat(bench.machine.lineageBytes()).isZero();
    assertThat(bench.machine.liveCount()).isZero();
    assertThat(bench.effects(OwnerEffect.DeleteCopy.class)).hasSize(400);
  }
}
