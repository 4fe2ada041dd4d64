package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.wire.message.Holder;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.JobMemory;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.NodeMemory;
import io.aktis.wire.message.ObjectUse;
import io.aktis.wire.message.StoredObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How memory is shown. */
final class ClusterMemoryTest {
  private static final long MIB = 1 << 20;
  private static final Id HELD = Id.newBuilder().setOwner(10).setNumber(1 << 16).build();
  private static final Id LEFT = Id.newBuilder().setOwner(11).setNumber(2 << 16).build();

  private static final MemoryReply REPLY =
      MemoryReply.newBuilder()
          .addNodes(
              NodeMemory.newBuilder()
                  .setNode(Id.newBuilder().setOwner(0x99).setNumber(1))
                  .setAddress("10.0.0.1:6380")
                  .setAlive(true)
                  .setCapacityBytes(64 * MIB)
                  .setUsedBytes(9 * MIB)
                  .setPinnedBytes(8 * MIB)
                  .addJobs(
                      JobMemory.newBuilder()
                          .setOwner(10)
                          .setProgram("Mill")
                          .setObjects(3)
                          .setMemoryBytes(8 * MIB))
                  .addJobs(
                      JobMemory.newBuilder().setOwner(11).setObjects(1).setSpilledBytes(16 * MIB))
                  .addObjects(
                      StoredObject.newBuilder()
                          .setObject(LEFT)
                          .setSizeBytes(16 * MIB)
                          .setState("SPILLED"))
                  .addObjects(
                      StoredObject.newBuilder()
                          .setObject(HELD)
                          .setSizeBytes(8 * MIB)
                          .setState("SEALED")
                          .setPins(3)
                          .addReaders(Holder.newBuilder().setName("w1 (pid 7)").setCount(2))
                          .setUse(
                              ObjectUse.newBuilder()
                                  .setObject(HELD)
                                  .setMadeBy("grind")
                                  .setProgramReferences(1)
                                  .addWorkerReferences(
                                      Holder.newBuilder().setName("w1").setCount(4))
                                  .setHolds(2))))
          .addNodes(
              NodeMemory.newBuilder()
                  .setNode(Id.newBuilder().setOwner(0x98).setNumber(1))
                  .setAddress("10.0.0.2:6380"))
          .build();

  @Test
  void print_ofMemory_saysWhoHoldsAndReadsEachObject() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);

    new ClusterMemory(REPLY).print(out);
    out.flush();

    assertThat(text.toString().lines())
        .anyMatch(line -> line.matches(".*10\\.0\\.0\\.1:6380 +9 MiB +8 MiB +16 MiB +64 MiB +4"))
        .anyMatch(line -> line.matches(".*10\\.0\\.0\\.2:6380 +no answer"))
        .anyMatch(line -> line.matches("000000000000000a .* 8 MiB +0 MiB +3 +Mill"))
        .anyMatch(line -> line.matches("000000000000000b .* 0 MiB +16 MiB +1 +\\(gone\\)"))
        .anyMatch(line -> line.matches(".* 16 MiB +spilled +\\? +\\?"))
        .anyMatch(line ->
            line.matches(
                ".* 8 MiB +sealed +grind +program: 1, w1: 4, tasks and values: 2 "
                    + " +w1 \\(pid 7\\): 2, transfers: 1"))
        .anyMatch(line -> line.equals("and 2 smaller objects; --limit shows more"));
  }

  @Test
  void toMap_ofMemory_isJsonWithTheSame() throws IOException {
    Map<String, Object> json =
        JSON.std.mapFrom(JSON.std.asString(new ClusterMemory(REPLY).toMap()));

    List<?> nodes = (List<?>) json.get("nodes");
    assertThat(nodes).hasSize(2);
    Map<?, ?> node = (Map<?, ?>) nodes.getFirst();
    assertThat(node.get("usedBytes")).isEqualTo((int) (9 * MIB));
    Map<?, ?> left = (Map<?, ?>) ((List<?>) node.get("objects")).getFirst();
    assertThat(left.containsKey("references")).isFalse();
    Map<?, ?> held = (Map<?, ?>) ((List<?>) node.get("objects")).getLast();
    assertThat(held.get("references")).isEqualTo(Map.of("program", 1, "w1", 4));
    assertThat(held.get("readers")).isEqualTo(Map.of("w1 (pid 7)", 2));
    assertThat(held.get("madeBy")).isEqualTo("grind");
    assertThat(held.get("holds")).isEqualTo(2);
    assertThat(((Map<?, ?>) nodes.getLast()).get("alive")).isEqualTo(false);
  }
}
