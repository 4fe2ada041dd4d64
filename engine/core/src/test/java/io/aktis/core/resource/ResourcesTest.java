package io.aktis.core.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.core.invariant.BrokenInvariantError;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  private static final long GIB = 1L << 30;

  @Test
  void cpus_twoOfSevenTenths_leaveSixTenthsOfTwo() {
    Resources left = Resources.cpus(2).minus(Resources.cpus(0.7)).minus(Resources.cpus(0.7));

    assertThat(left).isEqualTo(Resources.cpus(0.6));
    assertThat(Resources.cpus(0.5).fitsIn(left)).isTrue();
    assertThat(Resources.cpus(0.6001).fitsIn(left)).isFalse();
  }

  @Test
  void cpus_sumsOfDecimalFractions_areExact() {
    assertThat(Resources.cpus(0.1 + 0.2)).isEqualTo(Resources.cpus(0.3));
    Resources sum = Resources.NONE;
    for (int i = 0; i < 10_000; i++) {
      sum = sum.plus(Resources.cpus(0.0001));
    }
    assertThat(sum).isEqualTo(Resources.ONE_CPU);
  }

  @Test
  void factory_wrongAmounts_sayWhatIsAllowed() {
    for (double wrong : new double[] {-1, -0.0001, Double.NaN, 1e13, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Resources.cpus(wrong))
          .withMessageStartingWith("cpus is ")
          .withMessageContaining("allowed are 0 to 1000000000000 in steps of 0.0001");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.cpus(0.00005))
        .withMessage("cpus is 5.0E-5; the finest step allowed is 0.0001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.NONE.withGpus(1.5))
        .withMessage("gpus is 1.5; allowed are a fraction below 1 or a whole number");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.NONE.withMemory(-1))
        .withMessageStartingWith("memory is -1 bytes; allowed are 0 to ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.NONE.with("tpu", -2))
        .withMessageStartingWith("tpu is -2.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Resources.NONE.with("GPU", 1))
        .withMessageContaining("allowed is any name but cpu, gpu, memory");
  }

  @Test
  void fitsIn_anyAmountTooLarge_isFalse() {
    Resources node = Resources.of(4, 1, 8 * GIB, Map.of("disk", 2.0, "tpu", 4.0));

    assertThat(Resources.of(4, 1, 8 * GIB, Map.of("tpu", 4.0)).fitsIn(node)).isTrue();
    assertThat(Resources.cpus(4.0001).fitsIn(node)).isFalse();
    assertThat(Resources.NONE.withGpus(2).fitsIn(node)).isFalse();
    assertThat(Resources.NONE.withMemory(8 * GIB + 1).fitsIn(node)).isFalse();
    assertThat(Resources.NONE.with("tpu", 4.5).fitsIn(node)).isFalse();
    assertThat(Resources.NONE.with("abacus", 1).fitsIn(node)).isFalse();
    assertThat(Resources.NONE.with("zx81", 1).fitsIn(node)).isFalse();
    assertThat(Resources.NONE.fitsIn(Resources.NONE)).isTrue();
  }

  @Test
  void minus_moreThanThere_breaksTheInvariant() {
    assertThatThrownBy(() -> Resources.cpus(1).minus(Resources.cpus(2)))
        .isInstanceOf(BrokenInvariantError.class);
    assertThatThrownBy(() -> Resources.cpus(1).minus(Resources.NONE.with("a", 1)))
        .isInstanceOf(BrokenInvariantError.class);
  }

  @Test
  void lackingIn_partlyThere_isTheDifference() {
    Resources need = Resources.of(2, 1, GIB, Map.of("a", 3.0, "b", 1.0));
    Resources has = Resources.of(4, 0, GIB / 2, Map.of("a", 1.0, "b", 2.0));

    assertThat(need.lackingIn(has)).isEqualTo(Resources.of(0, 1, GIB / 2, Map.of("a", 2.0)));
    assertThat(need.lackingIn(need)).isEqualTo(Resources.NONE);
  }

  @Test
  void largestShareOf_severalKinds_isTheScarcest() {
    Resources node = Resources.of(4, 0, 8 * GIB, Map.of("a", 10.0));

    assertThat(Resources.of(1, 0, 4 * GIB, Map.of("a", 1.0)).largestShareOf(node)).isEqualTo(0.5);
    assertThat(Resources.NONE.largestShareOf(node)).isZero();
    assertThat(Resources.NONE.with("b", 1).largestShareOf(node)).isInfinite();
  }

  @Test
  void scaled_times_multipliesAll() {
    Resources one = Resources.of(0.5, 1, GIB, Map.of("a", 0.25));

    assertThat(one.scaled(4)).isEqualTo(Resources.of(2, 4, 4 * GIB, Map.of("a", 1.0)));
    assertThat(one.scaled(0)).isSameAs(Resources.NONE);
    assertThatIllegalArgumentException().isThrownBy(() -> one.scaled(-1));
  }

  @Test
  void toString_mixed_readsLikeTheOptions() {
    assertThat(Resources.of(1.5, 0, 2 * GIB, Map.of("tpu", 4.0)))
        .hasToString("{cpu: 1.5, memory: 2 GiB, \"tpu\": 4}");
    assertThat(Resources.NONE).hasToString("{}");
    assertThat(Resources.NONE.withGpus(0.25).withMemory(1536))
        .hasToString("{gpu: 0.25, memory: 1.5 KiB}");
    assertThat(Resources.cpus(0.0001)).hasToString("{cpu: 0.0001}");
  }

  @Test
  void ofUnits_roundTrip_isEqual() {
    Resources some = Resources.of(1.5, 2, GIB, Map.of("tpu", 4.0, "a", 0.5));

    Resources copy =
        Resources.ofUnits(some.cpuUnits(), some.gpuUnits(), some.memoryBytes(), some.customUnits());

    assertThat(copy).isEqualTo(some).hasSameHashCodeAs(some);
    assertThat(copy.customs()).containsExactly(Map.entry("a", 0.5), Map.entry("tpu", 4.0));
    TreeMap<String, Long> zeros = new TreeMap<>(Map.of("a", 0L));
    assertThat(Resources.ofUnits(0, 0, 0, zeros)).isSameAs(Resources.NONE);
  }

  @Test
  void arithmetic_randomAmounts_agreesWithMaps() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      Resources a = random(random);
      Resources b = random(random);
      Map<String, Long> sum = map(a);
      map(b).forEach((name, units) -> sum.merge(name, units, Long::sum));

      assertThat(map(a.plus(b))).as("sum, seed %d", seed).isEqualTo(sum);
      assertThat(a.plus(b).minus(b)).as("difference, seed %d", seed).isEqualTo(a);
      assertThat(a.plus(b).minus(b)).hasSameHashCodeAs(a);
      assertThat(a.fitsIn(a.plus(b))).as("fits, seed %d", seed).isTrue();
      boolean fits =
          map(a).entrySet().stream()
              .allMatch(each -> map(b).getOrDefault(each.getKey(), 0L) >= each.getValue());
      assertThat(a.fitsIn(b)).as("fits by name, seed %d", seed).isEqualTo(fits);
      assertThat(a.minus(a)).as("nothing left, seed %d", seed).isEqualTo(Resources.NONE);
      assertThat(a.cpuPart().plus(a.withoutCpu())).as("parts, seed %d", seed).isEqualTo(a);
      assertThat(b.plus(a.lackingIn(b))).as("lacking, seed %d", seed).matches(a::fitsIn);
    }
  }

  private static Resources random(Random random) {
    Resources some = Resources.cpus(random.nextInt(3) / 2.0);
    some = random.nextBoolean() ? some : some.withGpus(random.nextInt(3));
    some = random.nextBoolean() ? some : some.withMemory(random.nextInt(3) * GIB);
    for (String name : new String[] {"a", "b", "c", "d"}) {
      some = random.nextInt(3) == 0 ? some.with(name, random.nextInt(3)) : some;
    }
    return some;
  }

  private static Map<String, Long> map(Resources resources) {
    TreeMap<String, Long> map = new TreeMap<>(resources.customUnits());
    map.put("cpu", resources.cpuUnits());
    map.put("gpu", resources.gpuUnits());
    map.put("memory", resources.memoryBytes());
    map.values().removeIf(units -> units == 0);
    return map;
  }
}
