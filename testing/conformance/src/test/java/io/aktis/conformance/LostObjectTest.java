package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.NodeDiedException;
import io.aktis.ObjectLostException;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Node;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.Notes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values whose every copy was lost with a node. */
@EngineTest(nodes = {@Node(cpus = 2), @Node(cpus = 2)})
class LostObjectTest {
  private static final int SIZE = 1 << 20;

  static final class Painter {
    byte[] paint() {
      return new byte[SIZE];
    }
  }

  @Test
  @Semantics("3.lost.remade")
  void result_lost_isMadeAgain(AktisSession session, NodeFaults faults) {
    String doomed = lastNode(session);
    Notes runs = Notes.empty();
    ObjectRef<byte[]> ref = Aktis.task(LostObjectTest::make, runs, 7).preferNode(doomed).remote();
    Aktis.wait(List.of(ref));

    faults.kill(doomed);

    assertThat(ref.get()).hasSize(SIZE).startsWith(7);
    assertThat(runs.lines()).hasSize(2).first().isEqualTo(doomed);
    assertThat(ref.attempts()).isEqualTo(2);
  }

  @Test
  @Semantics("3.lost.remade")
  void result_lostWithWhatItWasMadeFrom_isMadeAgainFromTheStart(
      AktisSession session, NodeFaults faults) {
    String doomed = lastNode(session);
    Notes runs = Notes.empty();
    ObjectRef<byte[]> first = Aktis.task(LostObjectTest::make, runs, 7).preferNode(doomed).remote();
    ObjectRef<byte[]> second =
        Aktis.task(LostObjectTest::next, first, runs).preferNode(doomed).remote();
    ObjectRef<byte[]> third =
        Aktis.task(LostObjectTest::next, second, runs).preferNode(doomed).remote();
    Aktis.wait(List.of(third));
    first.close();
    second.close();

    faults.kill(doomed);

    assertThat(third.get()).startsWith(9);
    assertThat(runs.count()).isEqualTo(6);
  }

  @Test
  @Semantics("3.lost.remade")
  void argument_lostBeforeTheTaskRuns_isMadeAgain(AktisSession session, NodeFaults faults) {
    String doomed = lastNode(session);
    Notes runs = Notes.empty();
    ObjectRef<byte[]> ref = Aktis.task(LostObjectTest::make, runs, 7).preferNode(doomed).remote();
    Aktis.wait(List.of(ref));

    faults.kill(doomed);

    assertThat(Aktis.task((byte[] bytes) -> bytes[0], ref).remote().get()).isEqualTo((byte) 7);
  }

  @Test
  @Semantics("3.lost.put")
  void value_putOnALostNode_isLostAndSaysWhy(AktisSession session, NodeFaults faults) {
    String doomed = lastNode(session);
    ObjectRef<byte[]> put =
        Aktis.task(() -> List.of(Aktis.put(new byte[SIZE])))
            .onNode(doomed)
            .remote()
            .get()
            .getFirst();

    faults.kill(doomed);

    assertThatThrownBy(put::get)
        .isInstanceOfSatisfying(
            ObjectLostException.class, lost -> assertThat(lost.story()).isNotEmpty())
        .hasMessageContaining("put");
    assertThatThrownBy(() -> Aktis.task((byte[] bytes) -> bytes.length, put).remote().get())
        .isInstanceOf(ObjectLostException.class);
  }

  @Test
  @Semantics("3.lost.put")
  void result_ofATaskThatMustNotBeRepeated_isLost(AktisSession session, NodeFaults faults) {
    String doomed = lastNode(session);
    Notes runs = Notes.empty();
    ObjectRef<byte[]> ref =
        Aktis.task(LostObjectTest::make, runs, 7).maxRetries(0).preferNode(doomed).remote();
    Aktis.wait(List.of(ref));

    faults.kill(doomed);

    assertThatThrownBy(ref::get).isInstanceOf(ObjectLostException.class);
    assertThat(runs.count()).isEqualTo(1);
  }

  @Test
  @Semantics("3.lost.put")
  void result_ofAnActorCall_isLost(AktisSession session, NodeFaults faults) {
    String doomed = lastNode(session);
    ActorHandle<Painter> painter = Aktis.actor(Painter::new).onNode(doomed).remote();
    ObjectRef<byte[]> painting = painter.call(Painter::paint);
    Aktis.wait(List.of(painting));

    faults.kill(doomed);

    assertThatThrownBy(painting::get).isInstanceOf(ObjectLostException.class);
  }

  @Test
  @Semantics("3.lost.waiters")
  void get_waitingForWhatIsLost_ends(AktisSession session, NodeFaults faults) throws Exception {
    String doomed = lastNode(session);
    Gate gate = Gate.closed();
    Notes outcome = Notes.empty();
    ObjectRef<Integer> ref =
        Aktis.task(TaskTest::afterGate, gate, 1).onNode(doomed).maxRetries(0).remote();
    gate.awaitArrivals(1);
    Thread waiter = Thread.startVirtualThread(() -> getAndTell(ref, outcome));

    faults.kill(doomed);

    assertThat(waiter.join(Duration.ofSeconds(10))).isTrue();
    assertThat(outcome.lines()).containsExactly(NodeDiedException.class.getSimpleName());
  }

  private static String lastNode(AktisSession session) {
    return session.cluster().nodes().getLast().id();
  }

  private static void getAndTell(ObjectRef<Integer> ref, Notes outcome) {
    try {
      outcome.add("" + ref.get());
    } catch (RuntimeException e) {
      outcome.add(e.getClass().getSimpleName());
    }
  }

  static byte[] make(Notes runs, int first) {
    runs.add(Aktis.context().nodeId());
    byte[] bytes = new byte[SIZE];
    bytes[0] = (byte) first;
    return bytes;
  }

  static byte[] next(byte[] bytes, Notes runs) {
    return make(runs, bytes[0] + 1);
  }
}
