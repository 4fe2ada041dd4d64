package io.aktis.cluster.node;

import io.aktis.cluster.membership.Membership.Member;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.CollectReply;
import io.aktis.wire.message.CollectRequest;
import io.aktis.wire.message.Holder;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.JobHello;
import io.aktis.wire.message.JobMemory;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.MemoryRequest;
import io.aktis.wire.message.NodeMemory;
import io.aktis.wire.message.ObjectUse;
import io.aktis.wire.message.ObjectsAnswer;
import io.aktis.wire.message.StoredObject;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Answers what is in the stores and who holds it, and passes on that garbage should be collected.
 * Thread-safe.
 */
final class MemoryEndpoint {
  /** More would not fit into one message. */
  private static final int MAX_OBJECTS = 5_000;

  private static final long OWNERS_TIMEOUT_MS = ClusterCalls.STATUS_TIMEOUT_MS;

  private final NodeConfig config;
  private final NodeParts parts;
  private final NodeLoop loop;
  private final LeaseDesk leases;
  private final ClusterDesk cluster;
  private final Workers workers;
  private final ClusterCalls calls;

  MemoryEndpoint(
      NodeConfig config,
      NodeParts parts,
      NodeLoop loop,
      LeaseDesk leases,
      ClusterDesk cluster,
      Workers workers) {
    this.config = config;
    this.parts = parts;
    this.loop = loop;
    this.leases = leases;
    this.cluster = cluster;
    this.workers = workers;
    this.calls = new ClusterCalls(config.credentials());
  }

  // ---- garbage --------------------------------------------------------------------------------

  void collect(CollectRequest request, StreamObserver<CollectReply> answers) {
    Answers.allowGone(answers);
    loop.post(() -> {
      int here = leases.collectGarbage();
      List<Member> others = request.getLocalOnly() ? List.of() : cluster.others();
      Thread.startVirtualThread(() -> {
        int jobs = here;
        for (CollectReply reply : calls.collect(others).values()) {
          jobs += reply.getJobs();
        }
        Answers.give(answers, CollectReply.newBuilder().setJobs(jobs).build());
      });
    });
  }

  // ---- what is there --------------------------------------------------------------------------

  /** What one owner was asked. */
  private record Asked(String program, CompletableFuture<ObjectsAnswer> answer) {}

  void describe(MemoryRequest request, StreamObserver<MemoryReply> answers) {
    Answers.allowGone(answers);
    Thread.startVirtualThread(() -> {
      MemoryReply.Builder reply = MemoryReply.newBuilder().addNodes(own(request));
      if (!request.getLocalOnly()) {
        addOthers(request, reply);
      }
      Answers.give(answers, reply.build());
    });
  }

  private void addOthers(MemoryRequest request, MemoryReply.Builder reply) {
    CompletableFuture<List<Member>> found = new CompletableFuture<>();
    loop.post(() -> found.complete(cluster.others()));
    List<Member> others = found.join();
    Map<Member, MemoryReply> known = calls.memoryOf(others, request);
    for (Member member : others) {
      MemoryReply answer = known.get(member);
      if (answer != null) {
        reply.addAllNodes(answer.getNodesList());
      } else {
        reply.addNodes(
            NodeMemory.newBuilder().setNode(WireIds.of(member.id())).setAddress(member.address()));
      }
    }
  }

  private NodeMemory own(MemoryRequest request) {
    List<NodeStore.Entry> all = parts.store().objects();
    int limit = Math.clamp(request.getMaxObjects(), 0, MAX_OBJECTS);
    List<NodeStore.Entry> shown =
        all.stream()
            .sorted(Comparator.comparingLong(NodeStore.Entry::sizeBytes).reversed())
            .limit(limit)
            .toList();
    Map<Long, JobMemory.Builder> jobs = sums(all);
    Map<Long, Asked> asked = ask(shown);
    asked.forEach((owner, each) -> {
      JobMemory.Builder job = jobs.get(owner);
      if (job != null) {
        job.setProgram(each.program());
      }
    });
    NodeMemory.Builder memory =
        NodeMemory.newBuilder()
            .setNode(WireIds.of(config.node()))
            .setAddress(WireForms.address(config.advertisedHost(), workers.port()))
            .setAlive(true)
            .setCapacityBytes(parts.store().capacityBytes())
            .setUsedBytes(parts.store().usedBytes())
            .setPinnedBytes(parts.store().pinnedBytes());
    jobs.values().forEach(memory::addJobs);
    Map<Id, ObjectUse> uses = uses(asked);
    for (NodeStore.Entry entry : shown) {
      memory.addObjects(object(entry, uses));
    }
    return memory.build();
  }

  private static Map<Long, JobMemory.Builder> sums(List<NodeStore.Entry> all) {
    Map<Long, JobMemory.Builder> jobs = new TreeMap<>();
    for (NodeStore.Entry entry : all) {
      JobMemory.Builder job =
          jobs.computeIfAbsent(entry.id().owner(), owner -> JobMemory.newBuilder().setOwner(owner));
      job.setObjects(job.getObjects() + 1);
      if (entry.state().equals("SPILLED")) {
        job.setSpilledBytes(job.getSpilledBytes() + entry.sizeBytes());
      } else {
        job.setMemoryBytes(job.getMemoryBytes() + entry.sizeBytes());
      }
    }
    return jobs;
  }

  /** Asks the owners here about the objects that are theirs; names those without any as well. */
  private Map<Long, Asked> ask(List<NodeStore.Entry> shown) {
    Map<Long, List<Id>> wanted = new HashMap<>();
    for (NodeStore.Entry entry : shown) {
      wanted
          .computeIfAbsent(entry.id().owner(), owner -> new ArrayList<>())
          .add(WireIds.of(entry.id()));
    }
    CompletableFuture<Map<Long, Asked>> asked = new CompletableFuture<>();
    loop.post(() -> {
      Map<Long, Asked> each = new LinkedHashMap<>();
      leases
          .owners()
          .forEach((owner, session) -> {
            JobHello hello = session.hello();
            String program = hello == null ? "" : hello.getProgram();
            List<Id> ids = wanted.getOrDefault(owner, List.of());
            CompletableFuture<ObjectsAnswer> answer =
                ids.isEmpty()
                    ? CompletableFuture.completedFuture(ObjectsAnswer.getDefaultInstance())
                    : session.describe(ids);
            each.put(owner, new Asked(program, answer));
          });
      asked.complete(each);
    });
    return asked.join();
  }

  /** Waits for the answers of the owners; one that does not answer in time is left out. */
  private static Map<Id, ObjectUse> uses(Map<Long, Asked> asked) {
    Map<Id, ObjectUse> uses = new HashMap<>();
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(OWNERS_TIMEOUT_MS);
    for (Asked each : asked.values()) {
      ObjectsAnswer answer =
          each.answer()
              .completeOnTimeout(
                  ObjectsAnswer.getDefaultInstance(),
                  Math.max(0, deadlineNs - System.nanoTime()),
                  TimeUnit.NANOSECONDS)
              .join();
      answer.getUsesList().forEach(use -> uses.put(use.getObject(), use));
    }
    return uses;
  }

  private static StoredObject object(NodeStore.Entry entry, Map<Id, ObjectUse> uses) {
    StoredObject.Builder object =
        StoredObject.newBuilder()
            .setObject(WireIds.of(entry.id()))
            .setSizeBytes(entry.sizeBytes())
            .setState(entry.state())
            .setPins(entry.pins());
    entry
        .readers()
        .forEach(
            (name, count) -> object.addReaders(Holder.newBuilder().setName(name).setCount(count)));
    ObjectUse use = uses.get(WireIds.of(entry.id()));
    if (use != null) {
      object.setUse(use);
    }
    return object.build();
  }
}
