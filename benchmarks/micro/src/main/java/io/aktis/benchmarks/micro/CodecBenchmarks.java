package io.aktis.benchmarks.micro;

import io.aktis.wire.value.Encoded;
import io.aktis.wire.value.ValueCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Values of users: looked at, turned into bytes and back, copied. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmarks {
  /** What a value looks like. */
  public enum Kind {
    /** A record of numbers and text, which cannot change. */
    RECORD,
    /** Lists in maps, which can. */
    GRAPH
  }

  /** A small value. */
  public record Point(int x, long y, String name) {}

  /** The value. */
  @Param public Kind kind = Kind.RECORD;

  private final ValueCodec codec = ValueCodec.of(CodecBenchmarks.class.getClassLoader());
  private Object value = "";
  private Encoded encoded = codec.encode("");

  /** Makes the value. */
  @Setup
  public void makeValue() {
    value = kind == Kind.RECORD ? new Point(1, 2, "three") : graph();
    encoded = codec.encode(value).detached();
  }

  /** Lets the codec go. */
  @TearDown
  public void close() {
    codec.close();
  }

  private static Map<String, List<Point>> graph() {
    Map<String, List<Point>> graph = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      List<Point> points = new ArrayList<>();
      for (int k = 0; k < 10; k++) {
        points.add(new Point(i, k, "point " + k));
      }
      graph.put("list " + i, points);
    }
    return graph;
  }

  /** Whether a copy is needed. */
  @Benchmark
  public boolean isImmutable() {
    return codec.isImmutable(value);
  }

  /** Into bytes. */
  @Benchmark
  public Encoded encode() {
    return codec.encode(value);
  }

  /** Out of bytes. */
  @Benchmark
  public @Nullable Object decode() {
    return codec.decode(encoded);
  }

  /** A copy within the process; none where the value cannot change. */
  @Benchmark
  public Object copy() {
    return codec.copy(value);
  }
}
