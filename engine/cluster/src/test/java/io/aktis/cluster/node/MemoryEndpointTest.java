package io.aktis.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.rpc.Methods;
import io.aktis.core.id.TaskId;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.CollectRequest;
import io.aktis.wire.message.Holder;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.MemoryRequest;
import io.aktis.wire.message.NodeMemory;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.ObjectUse;
import io.aktis.wire.message.ObjectsAnswer;
import io.aktis.wire.message.ObjectsQuestion;
import io.aktis.wire.message.OwnerToNode;
import io.aktis.wire.message.StoredObject;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node tells of its store, together with the owners of what is in there. */
final class MemoryEndpointTest {
  private static final long GONE = 9;

  @TempDir private Path dir;
  private NodeFixture node;

  @BeforeEach
  void start() throws IOException {
    node = new NodeFixture(dir, 2, List.of());
    store(5, 1, 1_000, "SEALED", Map.of("w1", 2));
    store(5, 2, 3_000, "SPILLED", Map.of());
    store(GONE, 1, 2_000, "DELETED", Map.of("w2", 1));
  }

  @AfterEach
  void end() {
    node.close();
  }

  private void store(
      long owner, long number, long sizeBytes, String state, Map<String, Integer> readers) {
    int pins = readers.values().stream().mapToInt(Integer::intValue).sum();
    node.stored.add(
        new NodeStore.Entry(TaskId.of(owner, number).result(0), sizeBytes, state, pins, readers));
  }

  private CompletableFuture<NodeMemory> describe(int maxObjects) {
    return CompletableFuture.supplyAsync(() -> {
      MemoryReply reply =
          ClientCalls.blockingUnaryCall(
              node.channel().call(Methods.DESCRIBE_MEMORY, Await.LIMIT_MS),
              MemoryRequest.newBuilder().setMaxObjects(maxObjects).build());
      assertThat(reply.getNodesList()).hasSize(1);
      return reply.getNodes(0);
    });
  }

  @Test
  void describe_ofObjects_hasWhatTheirOwnerKnows() {
    OwnerClient owner = node.owner(5);
    CompletableFuture<NodeMemory> asked = describe(10);

    ObjectsQuestion question = owner.next(NodeToOwner::hasDescribe).getDescribe();
    assertThat(question.getObjectsList())
        .containsExactly(
            WireIds.of(TaskId.of(5, 2).result(0)), WireIds.of(TaskId.of(5, 1).result(0)));
    ObjectUse use =
        ObjectUse.newBuilder()
            .setObject(question.getObjects(1))
            .setMadeBy("mill")
            .setProgramReferences(3)
            .setHolds(1)
            .build();
    owner.send(
        OwnerToNode.newBuilder()
            .setDescribed(ObjectsAnswer.newBuilder().setNumber(question.getNumber()).addUses(use)));

    NodeMemory memory = asked.join();
    assertThat(memory.getAlive()).isTrue();
    assertThat(memory.getObjectsList())
        .extracting(StoredObject::getSizeBytes)
        .containsExactly(3_000L, 2_000L, 1_000L);
    assertThat(memory.getObjects(2).getUse()).isEqualTo(use);
    assertThat(memory.getObjects(2).getReadersList())
        .containsExactly(Holder.newBuilder().setName("w1").setCount(2).build());
    assertThat(memory.getObjects(1).hasUse()).isFalse();
    assertThat(memory.getObjects(1).getState()).isEqualTo("DELETED");
  }

  @Test
  void describe_withALimit_sumsAllTheSame() {
    NodeMemory memory = describe(1).join();

    assertThat(memory.getObjectsList())
        .extracting(StoredObject::getSizeBytes)
        .containsExactly(3_000L);
    assertThat(memory.getJobsList())
        .extracting(job -> List.of(job.getOwner(), job.getObjects(), job.getMemoryBytes()))
        .containsExactly(List.of(5L, 2L, 1_000L), List.of(GONE, 1L, 2_000L));
    assertThat(memory.getJobs(0).getSpilledBytes()).isEqualTo(3_000);
  }

  @Test
  void describe_whenTheOwnerLeavesWithoutAnAnswer_goesOnWithoutIt() {
    OwnerClient owner = node.owner(5);
    CompletableFuture<NodeMemory> asked = describe(10);
    owner.next(NodeToOwner::hasDescribe);

    owner.close();

    assertThat(asked.join().getObjectsList()).hasSize(3).noneMatch(StoredObject::hasUse);
  }

  @Test
  void collect_asksAllOwners() {
    OwnerClient one = node.owner(5);
    OwnerClient two = node.owner(6);

    int jobs =
        ClientCalls.blockingUnaryCall(
                node.channel().call(Methods.COLLECT, Await.LIMIT_MS),
                CollectRequest.getDefaultInstance())
            .getJobs();

    assertThat(jobs).isEqualTo(2);
    one.next(NodeToOwner::hasCollect);
    two.next(NodeToOwner::hasCollect);
  }
}
