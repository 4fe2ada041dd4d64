package io.aktis.cluster.node;

import com.google.protobuf.ByteString;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.lease.Bundle;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.pool.WorkerFile;
import io.aktis.core.pool.WorkerKey;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.Id;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Values of the engine as messages and back. What comes from outside is checked: a message that
 * makes no sense is an {@link IllegalArgumentException} with the reason.
 */
final class WireForms {
  private WireForms() {}

  static Id id(long owner, long number) {
    return Id.newBuilder().setOwner(owner).setNumber(number).build();
  }

  static Id id(LeaseId lease) {
    return id(lease.owner(), lease.number());
  }

  static Id id(NodeId node) {
    return id(node.owner(), node.number());
  }

  static Id id(GroupId group) {
    return id(group.owner(), group.number());
  }

  static LeaseId lease(Id id) {
    return new LeaseId(id.getOwner(), id.getNumber());
  }

  static GroupId group(Id id) {
    return new GroupId(id.getOwner(), id.getNumber());
  }

  static ObjectId object(Id id) {
    return new ObjectId(id.getOwner(), id.getNumber());
  }

  static BundleId bundle(io.aktis.wire.message.BundleId message) {
    return new BundleId(group(message.getGroup()), message.getIndex());
  }

  static io.aktis.wire.message.BundleId bundle(BundleId bundle) {
    return io.aktis.wire.message.BundleId.newBuilder()
        .setGroup(id(bundle.group()))
        .setIndex(bundle.index())
        .build();
  }

  static Resources resources(io.aktis.wire.message.Resources message) {
    return Resources.ofUnits(
        message.getCpuUnits(),
        message.getGpuUnits(),
        message.getMemoryBytes(),
        new TreeMap<>(message.getCustomUnitsMap()));
  }

  static io.aktis.wire.message.Resources resources(Resources resources) {
    return io.aktis.wire.message.Resources.newBuilder()
        .setCpuUnits(resources.cpuUnits())
        .setGpuUnits(resources.gpuUnits())
        .setMemoryBytes(resources.memoryBytes())
        .putAllCustomUnits(resources.customUnits())
        .build();
  }

  static Demand demand(io.aktis.wire.message.Demand message) {
    Resources toPlace = resources(message.getToPlace());
    return message.hasToHold()
        ? new Demand(toPlace, resources(message.getToHold()))
        : Demand.of(toPlace);
  }

  static io.aktis.wire.message.NodeNumbers numbers(NodeNumbers numbers) {
    return io.aktis.wire.message.NodeNumbers.newBuilder()
        .setTotal(resources(numbers.total()))
        .setAvailable(resources(numbers.available()))
        .setLargestGpuShareUnits(numbers.gpuRoom().largestShareUnits())
        .setWholeGpus(numbers.gpuRoom().wholeDevices())
        .setVersion(numbers.version())
        .build();
  }

  static List<Bundle> bundles(List<io.aktis.wire.message.Bundle> messages) {
    List<Bundle> bundles = new ArrayList<>();
    for (io.aktis.wire.message.Bundle message : messages) {
      bundles.add(new Bundle(message.getIndex(), resources(message.getResources())));
    }
    return bundles;
  }

  static io.aktis.wire.message.BundleStatus status(BundleStatus status) {
    return io.aktis.wire.message.BundleStatus.newBuilder()
        .setId(bundle(status.id()))
        .setAttempt(status.attempt())
        .setCommitted(status.committed())
        .setTotal(resources(status.total()))
        .setAvailable(resources(status.available()))
        .build();
  }

  static WorkerKey key(io.aktis.wire.message.WorkerKey message) {
    List<WorkerFile> files = new ArrayList<>();
    for (CodeFile file : message.getFilesList()) {
      String sha256 = HexFormat.of().formatHex(file.getSha256().toByteArray());
      files.add(new WorkerFile(file.getName(), sha256, file.getSizeBytes()));
    }
    return new WorkerKey(message.getJvmOptionsList(), new TreeMap<>(message.getEnvMap()), files);
  }

  static CodeFile codeFile(WorkerFile file) {
    byte[] sha256 = HexFormat.of().parseHex(file.sha256());
    return CodeFile.newBuilder()
        .setName(file.name())
        .setSha256(ByteString.copyFrom(sha256))
        .setSizeBytes(file.sizeBytes())
        .build();
  }

  /** Returns host and port as one text; an address of IPv6 is put in brackets. */
  static String address(String host, int port) {
    return host.indexOf(':') >= 0 && !host.startsWith("[")
        ? "[" + host + "]:" + port
        : host + ":" + port;
  }

  /** Returns the message of a failure, or its kind when it has none. */
  static String words(@Nullable Throwable failure) {
    if (failure == null) {
      return "unknown";
    }
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
