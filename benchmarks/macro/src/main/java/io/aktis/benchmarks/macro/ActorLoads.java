package io.aktis.benchmarks.macro;

import io.aktis.ActorHandle;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.benchmarks.macro.Budget.Absolute;
import io.aktis.benchmarks.macro.Budget.Times;
import io.aktis.benchmarks.macro.Work.Counter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Actors: calls one by one and many at once, and many actors at once. */
final class ActorLoads {
  private static final int BURST = 1_000;

  private ActorLoads() {}

  static List<Load> all(Setting setting) {
    return List.of(
        sync(setting),
        async(setting),
        bigArgument(setting),
        createAndCall(setting, "create_call_50_actors_s", 50).rayOnce(),
        createAndCall(setting, "create_call_1000_actors_s", 1000)
            .embedded(new Absolute(0.5))
            .separate(new Absolute(2)));
  }

  private static Probe withActor(AktisSession session, ActorProbe probe) {
    ActorHandle<Counter> actor = session.actor(Counter::new).remote();
    return probe.of(session, actor).closing(actor::close);
  }

  @FunctionalInterface
  private interface ActorProbe {
    Probe of(AktisSession session, ActorHandle<Counter> actor);
  }

  private static Load sync(Setting setting) {
    return Load.of(setting, "actor_sync_per_s", Unit.PER_SECOND)
        .aktis(rig -> callsOneByOne(rig.session()))
        .plain(rig -> callsOneByOne(rig.plainSession()))
        .grpc(rig -> Probe.rate(1, () -> rig.peer().stream().roundTrips(1)))
        .jdk("ForkJoinPool", rig -> callAndGet(rig.forkJoin()))
        .jdk("one thread", rig -> oneThread(ActorLoads::callAndGet))
        .ray()
        .embedded(new Times(Side.JDK, 1 / 1.5))
        .separate(new Times(Side.GRPC, 0.5));
  }

  private static Probe callsOneByOne(AktisSession session) {
    return withActor(session, (_, actor) -> Probe.rate(1, () -> actor.call(Counter::noop).get()));
  }

  private static Probe callAndGet(ExecutorService executor) {
    Counter counter = new Counter();
    return Probe.rate(1, () -> executor.submit(counter::noop).get());
  }

  @FunctionalInterface
  private interface ExecutorProbe {
    Probe of(ExecutorService executor);
  }

  private static Probe oneThread(ExecutorProbe probe) {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    return probe.of(executor).closing(executor::close);
  }

  private static Load async(Setting setting) {
    return Load.of(setting, "actor_async_per_s", Unit.PER_SECOND)
        .aktis(rig -> callsInBursts(rig.session()))
        .plain(rig -> callsInBursts(rig.plainSession()))
        .grpc(rig -> Probe.rate(BURST, () -> rig.peer().stream().roundTrips(BURST)))
        .jdk(
            "one thread",
            rig ->
                oneThread(executor -> {
                  Counter counter = new Counter();
                  return Probe.rate(
                      BURST, () -> TaskLoads.submitAndGetAll(executor, counter::noop, BURST));
                }))
        .ray()
        .embedded(new Absolute(1_000_000))
        .separate(new Absolute(200_000));
  }

  private static Probe callsInBursts(AktisSession opened) {
    return withActor(
        opened, (session, actor) -> Probe.rate(BURST, () -> session.get(called(actor, BURST))));
  }

  private static List<ObjectRef<String>> called(ActorHandle<Counter> actor, int count) {
    List<ObjectRef<String>> refs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      refs.add(actor.call(Counter::noop));
    }
    return refs;
  }

  private static Load bigArgument(Setting setting) {
    return Load.of(setting, "actor_arg_500mb_ref_per_s", Unit.PER_SECOND)
        .aktis(rig ->
            withActor(
                rig.session(),
                (session, actor) -> {
                  ObjectRef<MemorySegment> block = ObjectLoads.stored500MB(session);
                  return Probe.rate(1, () -> actor.call(Counter::size, block).get())
                      .closing(block::close);
                }))
        .jdk(
            "one thread, the segment itself",
            rig ->
                oneThread(executor -> {
                  Counter counter = new Counter();
                  MemorySegment block = MemorySegment.ofArray(new byte[1]);
                  return Probe.rate(1, () -> executor.submit(() -> counter.size(block)).get());
                }))
        .ray();
  }

  private static Load createAndCall(Setting setting, String name, int count) {
    return Load.of(setting, name, Unit.SECONDS)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.duration(() -> createAndCall(session, count));
        })
        .jdk("virtual thread each", _ -> Probe.duration(() -> createAndCall(count)));
  }

  private static List<String> createAndCall(AktisSession session, int count) {
    List<ActorHandle<Counter>> actors = new ArrayList<>(count);
    List<ObjectRef<String>> refs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ActorHandle<Counter> actor = session.actor(Counter::new).remote();
      actors.add(actor);
      refs.add(actor.call(Counter::noop));
    }
    List<String> values = session.get(refs);
    actors.forEach(ActorHandle::close);
    return values;
  }

  private static List<String> createAndCall(int count) throws Exception {
    List<ExecutorService> actors = new ArrayList<>(count);
    List<Future<String>> futures = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ExecutorService actor = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
      Counter counter = new Counter();
      actors.add(actor);
      futures.add(actor.submit(counter::noop));
    }
    List<String> values = new ArrayList<>(count);
    for (Future<String> future : futures) {
      values.add(future.get());
    }
    actors.forEach(ExecutorService::shutdown);
    return values;
  }
}
