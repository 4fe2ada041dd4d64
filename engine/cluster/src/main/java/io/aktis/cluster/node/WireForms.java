package io.aktis.cluster.node;

import com.google.protobuf.ByteString;
import io.aktis.core.lease.Bundle;
import io.aktis.core.lease.BundleStatus;
import io.aktis.core.pool.WorkerFile;
import io.aktis.core.pool.WorkerKey;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.wire.message.CodeFile;
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

  static List<Bundle> bundles(List<io.aktis.wire.message.Bundle> messages) {
    List<Bundle> bundles = new ArrayList<>();
    for (io.aktis.wire.message.Bundle message : messages) {
      bundles.add(new Bundle(message.getIndex(), WireResources.resources(message.getResources())));
    }
    return bundles;
  }

  static io.aktis.wire.message.BundleStatus status(BundleStatus status) {
    return io.aktis.wire.message.BundleStatus.newBuilder()
        .setId(WireIds.of(status.id()))
        .setAttempt(status.attempt())
        .setCommitted(status.committed())
        .setTotal(WireResources.of(status.total()))
        .setAvailable(WireResources.of(status.available()))
        .build();
  }

  static WorkerKey key(io.aktis.wire.message.WorkerKey message) {
    List<WorkerFile> files = new ArrayList<>();
    for (CodeFile file : message.getFilesList()) {
      files.add(workerFile(file));
    }
    return new WorkerKey(
        message.getJvmOptionsList(),
        new TreeMap<>(message.getEnvMap()),
        files,
        message.hasWorkingDirectory() ? workerFile(message.getWorkingDirectory()) : null);
  }

  private static WorkerFile workerFile(CodeFile file) {
    String sha256 = HexFormat.of().formatHex(file.getSha256().toByteArray());
    return new WorkerFile(file.getName(), sha256, file.getSizeBytes());
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
