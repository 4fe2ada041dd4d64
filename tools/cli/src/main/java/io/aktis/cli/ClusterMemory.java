package io.aktis.cli;

import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.wire.message.Holder;
import io.aktis.wire.message.JobMemory;
import io.aktis.wire.message.MemoryReply;
import io.aktis.wire.message.NodeMemory;
import io.aktis.wire.message.ObjectUse;
import io.aktis.wire.message.StoredObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** What is in the stores of a cluster, for programs and for people. Immutable. */
final class ClusterMemory {
  private static final String PROGRAM = "program";

  private final MemoryReply reply;

  ClusterMemory(MemoryReply reply) {
    this.reply = reply;
  }

  // ---- for programs ---------------------------------------------------------------------------

  /** Returns the JSON of {@code aktis memory --json}. */
  Map<String, Object> toMap() {
    return Map.of("nodes", reply.getNodesList().stream().map(ClusterMemory::toMap).toList());
  }

  private static Map<String, Object> toMap(NodeMemory node) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", id(node));
    map.put("address", node.getAddress());
    map.put("alive", node.getAlive());
    map.put("capacityBytes", node.getCapacityBytes());
    map.put("usedBytes", node.getUsedBytes());
    map.put("pinnedBytes", node.getPinnedBytes());
    map.put("jobs", node.getJobsList().stream().map(ClusterMemory::toMap).toList());
    map.put("objects", node.getObjectsList().stream().map(ClusterMemory::toMap).toList());
    return map;
  }

  private static Map<String, Object> toMap(JobMemory job) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("owner", owner(job.getOwner()));
    map.put("program", job.getProgram());
    map.put("objects", job.getObjects());
    map.put("memoryBytes", job.getMemoryBytes());
    map.put("spilledBytes", job.getSpilledBytes());
    return map;
  }

  private static Map<String, Object> toMap(StoredObject object) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", id(object));
    map.put("owner", owner(object.getObject().getOwner()));
    map.put("sizeBytes", object.getSizeBytes());
    map.put("state", object.getState());
    map.put("pins", object.getPins());
    map.put("readers", counts(object.getReadersList()));
    if (object.hasUse()) {
      ObjectUse use = object.getUse();
      map.put("madeBy", madeBy(use));
      map.put("references", references(use));
      map.put("holds", use.getHolds());
    }
    return map;
  }

  private static String id(NodeMemory node) {
    return new NodeId(node.getNode().getOwner(), node.getNode().getNumber()).toString();
  }

  private static String id(StoredObject object) {
    return new ObjectId(object.getObject().getOwner(), object.getObject().getNumber()).toString();
  }

  private static String owner(long owner) {
    return String.format(Locale.ROOT, "%016x", owner);
  }

  private static String madeBy(ObjectUse use) {
    return use.getMadeBy().isEmpty() ? "put" : use.getMadeBy();
  }

  private static Map<String, Integer> references(ObjectUse use) {
    Map<String, Integer> references = new LinkedHashMap<>();
    if (use.getProgramReferences() > 0) {
      references.put(PROGRAM, use.getProgramReferences());
    }
    references.putAll(counts(use.getWorkerReferencesList()));
    return references;
  }

  private static Map<String, Integer> counts(List<Holder> holders) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    holders.forEach(holder -> counts.put(holder.getName(), holder.getCount()));
    return counts;
  }

  // ---- for people -----------------------------------------------------------------------------

  /** Prints it. */
  void print(PrintWriter out) {
    List<List<String>> nodes = new ArrayList<>();
    nodes.add(List.of("NODE", "ADDRESS", "USED", "OF IT READ", "ON DISK", "CAPACITY", "OBJECTS"));
    reply.getNodesList().forEach(node -> nodes.add(nodeRow(node)));
    Table.print(out, nodes);
    List<List<String>> jobs = new ArrayList<>();
    jobs.add(List.of("JOB", "NODE", "IN MEMORY", "ON DISK", "OBJECTS", "PROGRAM"));
    List<List<String>> objects = new ArrayList<>();
    objects.add(List.of("OBJECT", "NODE", "SIZE", "STATE", "MADE BY", "HELD BY", "READ BY"));
    long hidden = 0;
    for (NodeMemory node : reply.getNodesList()) {
      node.getJobsList().forEach(job -> jobs.add(jobRow(node, job)));
      node.getObjectsList().forEach(object -> objects.add(objectRow(node, object)));
      hidden += count(node) - node.getObjectsCount();
    }
    printIfAny(out, jobs);
    printIfAny(out, objects);
    if (hidden > 0) {
      out.println("and " + hidden + " smaller objects; --limit shows more");
    }
  }

  private static void printIfAny(PrintWriter out, List<List<String>> rows) {
    if (rows.size() > 1) {
      out.println();
      Table.print(out, rows);
    }
  }

  private static long count(NodeMemory node) {
    return node.getJobsList().stream().mapToLong(JobMemory::getObjects).sum();
  }

  private static List<String> nodeRow(NodeMemory node) {
    if (!node.getAlive()) {
      return List.of(id(node), node.getAddress(), "no answer", "", "", "", "");
    }
    long spilled = node.getJobsList().stream().mapToLong(JobMemory::getSpilledBytes).sum();
    return List.of(
        id(node),
        node.getAddress(),
        Table.bytes(node.getUsedBytes()),
        Table.bytes(node.getPinnedBytes()),
        Table.bytes(spilled),
        Table.bytes(node.getCapacityBytes()),
        Long.toString(count(node)));
  }

  private static List<String> jobRow(NodeMemory node, JobMemory job) {
    return List.of(
        owner(job.getOwner()),
        id(node),
        Table.bytes(job.getMemoryBytes()),
        Table.bytes(job.getSpilledBytes()),
        Long.toString(job.getObjects()),
        job.getProgram().isEmpty() ? "(gone)" : job.getProgram());
  }

  private static List<String> objectRow(NodeMemory node, StoredObject object) {
    return List.of(
        id(object),
        id(node),
        Table.bytes(object.getSizeBytes()),
        object.getState().toLowerCase(Locale.ROOT),
        object.hasUse() ? madeBy(object.getUse()) : "?",
        object.hasUse() ? holders(object.getUse()) : "?",
        readers(object));
  }

  private static String holders(ObjectUse use) {
    StringJoiner holders = new StringJoiner(", ");
    references(use).forEach((name, count) -> holders.add(name + ": " + count));
    if (use.getHolds() > 0) {
      holders.add("tasks and values: " + use.getHolds());
    }
    return holders.length() == 0 ? "nobody" : holders.toString();
  }

  private static String readers(StoredObject object) {
    StringJoiner readers = new StringJoiner(", ");
    int known = 0;
    for (Holder reader : object.getReadersList()) {
      readers.add(reader.getName() + ": " + reader.getCount());
      known += reader.getCount();
    }
    if (object.getPins() > known) {
      readers.add("transfers: " + (object.getPins() - known));
    }
    return readers.toString();
  }
}
