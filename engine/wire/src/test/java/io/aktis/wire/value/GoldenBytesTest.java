package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/**
 * The bytes that programs in other languages read. A change here is a change of the protocol: raise
 * the version.
 */
class GoldenBytesTest {
  private final ValueCodec codec = ValueCodec.of(GoldenBytesTest.class.getClassLoader());

  private static Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("null", null);
    values.put("true", true);
    values.put("byte", (byte) -2);
    values.put("short", (short) -300);
    values.put("char", 'ä');
    values.put("int", 123456789);
    values.put("long", -2L);
    values.put("float", 1.5f);
    values.put("double", -0.1);
    values.put("string", "grüße 𝄞");
    values.put("empty string", "");
    values.put("booleans", new boolean[] {true, false});
    values.put("bytes", new byte[] {1, 2, -1});
    values.put("shorts", new short[] {1, -2});
    values.put("chars", new char[] {'a', '世'});
    values.put("ints", new int[] {1, -2});
    values.put("longs", new long[] {1, -2});
    values.put("floats", new float[] {1.5f});
    values.put("doubles", new double[] {Math.PI});
    values.put("buffer", ByteBuffer.wrap(new byte[] {1, 2}));
    values.put(
        "little-endian buffer", ByteBuffer.wrap(new byte[] {1, 2}).order(ByteOrder.LITTLE_ENDIAN));
    values.put("segment", MemorySegment.ofArray(new byte[] {3, 4}));
    byte[] large = new byte[1024];
    Arrays.fill(large, (byte) 0xab);
    values.put("large bytes", large);
    values.put("large buffer", ByteBuffer.wrap(large));
    values.put("table", SampleTables.small(new RootAllocator()));
    return values;
  }

  private static Map<String, byte[]> golden() throws IOException {
    Map<String, byte[]> golden = new LinkedHashMap<>();
    try (InputStream in = GoldenBytesTest.class.getResourceAsStream("golden-values.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().filter(each -> !each.startsWith("#")).toList()) {
        int colon = line.indexOf(':');
        golden.put(
            line.substring(0, colon), HexFormat.of().parseHex(line.substring(colon + 1).strip()));
      }
    }
    return golden;
  }

  @Test
  void encodedValues_always_areTheGoldenBytes() throws IOException {
    Map<String, byte[]> golden = golden();
    StringBuilder actual = new StringBuilder();
    values()
        .forEach((name, value) ->
            actual
                .append(name)
                .append(": ")
                .append(HexFormat.of().formatHex(codec.encode(value).toBytes()))
                .append('\n'));
    StringBuilder expected = new StringBuilder();
    golden.forEach((name, bytes) ->
        expected.append(name).append(": ").append(HexFormat.of().formatHex(bytes)).append('\n'));
    assertThat(actual.toString()).isEqualTo(expected.toString());
  }

  @Test
  void goldenBytes_decoded_areTheValues() throws IOException {
    Map<String, byte[]> golden = golden();
    values()
        .forEach((name, value) -> {
          Object back = codec.decode(Encoded.open(golden.get(name)));
          if (value instanceof MemorySegment segment) {
            assertThat(segment.mismatch((MemorySegment) back)).isEqualTo(-1);
          } else if (value instanceof VectorSchemaRoot table) {
            SampleTables.assertSameContent((VectorSchemaRoot) back, table);
          } else {
            assertThat(Objects.deepEquals(back, value)).as(name).isTrue();
          }
        });
  }

  @Test
  void handleAlone_always_isTheGoldenBytes() {
    Encoded encoded =
        ValueCodec.of(
                GoldenBytesTest.class.getClassLoader(),
                new HandlesTest.Counting(HandlesTest.LocalRef.class),
                memory -> false)
            .encode(new HandlesTest.LocalRef(5));
    assertThat(HexFormat.of().formatHex(encoded.toBytes()))
        .isEqualTo(
            "4156013000000000"
                + "0100000000000000"
                + "0000000000000000"
                + "07ffffffffffffffff0500000000000000");
  }
}
