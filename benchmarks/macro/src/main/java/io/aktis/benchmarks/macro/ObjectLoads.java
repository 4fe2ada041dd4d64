package io.aktis.benchmarks.macro;

import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.benchmarks.macro.Budget.Absolute;
import io.aktis.benchmarks.macro.Budget.Times;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Objects: small and large ones, put and read. */
final class ObjectLoads {
  private static final long MB = 1 << 20;
  private static final long LARGE_BYTES = 100 * MB;
  private static final long HUGE_BYTES = 500 * MB;

  private ObjectLoads() {}

  static List<Load> all(Setting setting) {
    return List.of(getSmall(setting), putSmall(setting), putLarge(setting), viewHuge(setting));
  }

  private static Load getSmall(Setting setting) {
    return Load.of(setting, "get_small_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          ObjectRef<Integer> small = rig.session().put(0);
          return Probe.rate(1, small::get).closing(small::close);
        })
        .jdk(
            "CompletableFuture",
            _ -> {
              CompletableFuture<Integer> small = CompletableFuture.completedFuture(0);
              return Probe.rate(1, small::get);
            })
        .ray();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // making it is the work
  private static Load putSmall(Setting setting) {
    return Load.of(setting, "put_small_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          AktisSession session = rig.session();
          return Probe.rate(
              1,
              () -> {
                ObjectRef<Integer> ref = session.put(0);
                ref.close();
                return ref;
              });
        })
        .jdk("CompletableFuture", _ -> Probe.rate(1, () -> CompletableFuture.completedFuture(0)))
        .ray();
  }

  private static Load putLarge(Setting setting) {
    return Load.of(setting, "put_100mb_gb_per_s", Unit.GB_PER_SECOND)
        .aktis(rig -> {
          AktisSession session = rig.session();
          MemorySegment data = ones(Arena.ofAuto(), LARGE_BYTES);
          return Probe.rate(
              LARGE_BYTES / 1e9,
              () -> {
                ObjectRef<MemorySegment> ref = session.put(data);
                ref.close();
                return ref;
              });
        })
        .jdk(
            "memcpy",
            _ -> {
              MemorySegment data = ones(Arena.ofAuto(), LARGE_BYTES);
              MemorySegment copy = ones(Arena.ofAuto(), LARGE_BYTES);
              return Probe.rate(LARGE_BYTES / 1e9, () -> copy.copyFrom(data));
            })
        .ray()
        .budget(new Times(Side.JDK, 0.8));
  }

  private static Load viewHuge(Setting setting) {
    return Load.of(setting, "get_500mb_view_per_s", Unit.PER_SECOND)
        .aktis(rig -> {
          ObjectRef<MemorySegment> block = stored500MB(rig.session());
          return Probe.rate(1, block::get).closing(block::close);
        })
        .jdk(
            "CompletableFuture, asReadOnly",
            _ -> {
              CompletableFuture<MemorySegment> block =
                  CompletableFuture.completedFuture(MemorySegment.ofArray(new byte[1]));
              return Probe.rate(1, () -> block.get().asReadOnly());
            })
        .ray()
        .embedded(new Absolute(50_000))
        .separate(new Absolute(10_000));
  }

  static ObjectRef<MemorySegment> stored500MB(AktisSession session) {
    try (Arena arena = Arena.ofShared()) {
      return session.put(ones(arena, HUGE_BYTES));
    }
  }

  private static MemorySegment ones(Arena arena, long bytes) {
    return arena.allocate(bytes).fill((byte) 1);
  }
}
