package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A value that is too large says which part of it is. */
@SuppressWarnings("ArrayRecordComponent") // shapes
class SizeReportTest {
  interface Make<T> extends Supplier<T>, Serializable {}

  record Model(String name, double[] weights, List<String> words) {}

  private final ValueCodec codec = ValueCodec.of(SizeReportTest.class.getClassLoader());

  @Test
  void heaviestField_ofALambda_isNamed() {
    Model model = new Model("m", new double[1_000_000], List.of("a", "b"));
    int more = 3;
    Make<Integer> task = () -> model.weights().length + more;
    SizeReport report = codec.explainSize(task);
    assertThat(report.path())
        .isEqualTo(
            "lambda in io.aktis.wire.value.SizeReportTest.heaviestField_ofALambda_isNamed"
                + " ▸ capturing argument 0 (io.aktis.wire.value.SizeReportTest$Model)"
                + " ▸ field weights (double[])");
    assertThat(report.heaviest()).isEqualTo("double[]");
    assertThat(report.heaviestBytes()).isEqualTo(8_000_000);
    assertThat(report.totalBytes()).isBetween(8_000_000L, 8_001_000L);
  }

  @Test
  void manyEqualParts_stopAtTheWhole() {
    List<int[]> parts = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      parts.add(new int[1000]);
    }
    Map<String, Object> value = new HashMap<>(Map.of("parts", parts, "name", "x"));
    SizeReport report = codec.explainSize(value);
    assertThat(report.path())
        .isEqualTo("java.util.HashMap ▸ value of \"parts\" (java.util.ArrayList)");
    assertThat(report.heaviestBytes()).isGreaterThanOrEqualTo(40_000);
  }

  @Test
  void estimate_ofCommonValues_isNearTheTruth() {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      words.add("word number " + i);
    }
    Model model = new Model("m", new double[500], words);
    long actual = codec.encode(model).sizeBytes();
    assertThat(codec.explainSize(model).totalBytes()).isBetween(actual / 2, actual * 2);
    assertThat(codec.explainSize(null).totalBytes()).isZero();
  }
}
