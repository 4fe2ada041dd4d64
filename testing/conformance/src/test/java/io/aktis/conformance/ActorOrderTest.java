package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.ConcurrencyGroups;
import io.aktis.ObjectRef;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** In which order, and how many at a time, an actor's calls run. */
@EngineTest(cpus = 2)
class ActorOrderTest {
  static final class Diary {
    private final List<String> lines = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();

    void write(String line) {
      enter();
      lines.add(line);
      inside.decrementAndGet();
    }

    void writeNumber(int number) {
      write("" + number);
    }

    void pass(Gate gate) throws InterruptedException {
      enter();
      try {
        gate.pass();
      } finally {
        inside.decrementAndGet();
      }
    }

    private void enter() {
      mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
    }

    List<String> lines() {
      return lines;
    }

    int mostInside() {
      return mostInside.get();
    }

    boolean onVirtualThread() {
      return Thread.currentThread().isVirtual();
    }
  }

  @Test
  @Semantics("4.order.fifo")
  void calls_ofOneCaller_runInTheirOrderOneAtATime() {
    try (ActorHandle<Diary> diary = Aktis.actor(Diary::new).remote()) {
      for (int i = 0; i < 10_000; i++) {
        diary.run(Diary::writeNumber, i);
      }

      assertThat(diary.call(Diary::lines).get())
          .isEqualTo(IntStream.range(0, 10_000).mapToObj(Integer::toString).toList());
      assertThat(diary.call(Diary::mostInside).get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.order.fifo")
  void calls_ofSeveralCallers_eachKeepTheirOrder() {
    try (ActorHandle<Diary> diary = Aktis.actor(Diary::new).remote()) {
      List<ObjectRef<Void>> callers =
          List.of("a", "b", "c", "d").stream()
              .map(name -> Aktis.run(ActorOrderTest::writeHundred, diary, name).remote())
              .toList();
      Aktis.<Void>get(callers);

      List<String> lines = diary.call(Diary::lines).get();
      assertThat(lines).hasSize(400);
      for (String name : List.of("a", "b", "c", "d")) {
        assertThat(lines.stream().filter(line -> line.startsWith(name)))
            .isEqualTo(IntStream.range(100, 200).mapToObj(i -> name + i).toList());
      }
      assertThat(diary.call(Diary::mostInside).get()).isEqualTo(1);
    }
  }

  @Test
  @Semantics("4.order.argument")
  void call_argumentNotReady_holdsBackItsOwnCallersLaterCallsOnly() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> late = Aktis.task(TaskTest::afterGate, gate, 1).cpus(0).remote();
    try (ActorHandle<Diary> diary = Aktis.actor(Diary::new).remote()) {
      ObjectRef<Void> first = diary.run(Diary::writeNumber, late);
      ObjectRef<Void> second = diary.run(Diary::writeNumber, 2);

      Aktis.run(ActorOrderTest::writeHundred, diary, "other").remote().get();
      assertThat(first.isReady()).isFalse();
      assertThat(second.isReady()).isFalse();
      gate.open();

      second.get();
      List<String> lines = diary.call(Diary::lines).get();
      assertThat(lines).hasSize(102).startsWith("other100").endsWith("1", "2");
    }
  }

  @Test
  @Semantics("4.order.concurrent")
  void maxConcurrency_three_runsThreeAtATimeOnVirtualThreads() {
    Gate gate = Gate.closed();
    try (ActorHandle<Diary> diary = Aktis.actor(Diary::new).maxConcurrency(3).remote()) {
      List<ObjectRef<Void>> calls =
          IntStream.range(0, 5).mapToObj(_ -> diary.run(Diary::pass, gate)).toList();
      gate.awaitArrivals(3);
      gate.open();
      Aktis.<Void>get(calls);

      assertThat(diary.call(Diary::mostInside).get()).isEqualTo(3);
      assertThat(diary.call(Diary::onVirtualThread).get()).isTrue();
    }
  }

  @Test
  @Semantics("4.order.concurrent")
  void maxConcurrency_argumentNotReady_holdsNobodyBack() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> late = Aktis.task(TaskTest::afterGate, gate, 1).cpus(0).remote();
    try (ActorHandle<Diary> diary = Aktis.actor(Diary::new).maxConcurrency(2).remote()) {
      ObjectRef<Void> first = diary.run(Diary::writeNumber, late);
      diary.run(Diary::writeNumber, 2).get();

      assertThat(first.isReady()).isFalse();
      gate.open();
      first.get();
      assertThat(diary.call(Diary::lines).get()).containsExactly("2", "1");
    }
  }

  @Test
  @Semantics("4.order.groups")
  void groups_oneThatIsBusy_doesNotHoldBackTheOthers() {
    Gate gate = Gate.closed();
    try (ActorHandle<Diary> diary =
        Aktis.actor(Diary::new).groups(ConcurrencyGroups.of("io", 2, "compute", 1)).remote()) {
      List<ObjectRef<Void>> slow =
          IntStream.range(0, 4).mapToObj(_ -> diary.in("io").run(Diary::pass, gate)).toList();
      gate.awaitArrivals(2);

      diary.in("compute").run(Diary::write, "computed").get();
      diary.run(Diary::write, "outside of groups").get();

      assertThat(slow).noneMatch(ObjectRef::isReady);
      assertThat(gate.arrivals()).isEqualTo(2);
      gate.open();
      Aktis.<Void>get(slow);
      assertThat(diary.call(Diary::lines).get())
          .containsExactlyInAnyOrder("computed", "outside of groups");
    }
  }

  @Test
  @Semantics("4.order.fifo")
  void calls_fromAnActorToAnother_keepTheirOrder() {
    Notes notes = Notes.empty();
    try (ActorHandle<Diary> diary = Aktis.actor(Diary::new).remote();
        ActorHandle<Notes> caller = Aktis.actor(() -> notes).remote()) {
      caller.run(_ -> writeHundred(diary, "x")).get();

      assertThat(diary.call(Diary::lines).get())
          .isEqualTo(IntStream.range(100, 200).mapToObj(i -> "x" + i).toList());
    }
  }

  static void writeHundred(ActorHandle<Diary> diary, String name) {
    List<ObjectRef<Void>> calls =
        IntStream.range(100, 200).mapToObj(i -> diary.run(Diary::write, name + i)).toList();
    Aktis.<Void>get(calls);
  }
}
