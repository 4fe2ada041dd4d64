package io.aktis.cluster;

import io.aktis.cluster.code.CodeCache;
import io.aktis.cluster.node.NodeCode;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The code cache of a node as its daemon uses it: a worker starts when its code is there. */
final class CachedNodeCode implements NodeCode {
  /**
   * A driver uploads its code while the first worker is about to start. So long it may be silent.
   */
  private static final long UPLOAD_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final CodeCache cache;
  private final Map<Long, Map<CodeUnit, CodeCache.Hold>> holds = new ConcurrentHashMap<>();

  CachedNodeCode(CodeCache cache) {
    this.cache = cache;
  }

  @Override
  public List<Path> use(long owner, List<CodeFile> files, BooleanSupplier givenUp)
      throws IOException {
    keep(owner, files);
    CodeUnit unit = unit(files);
    long progress = cache.receivedBytes();
    long deadline = System.nanoTime() + UPLOAD_TIMEOUT_NANOS;
    while (cache.lacks(unit).getFilesCount() > 0 && !givenUp.getAsBoolean()) {
      long received = cache.receivedBytes();
      if (received != progress) {
        progress = received;
        deadline = System.nanoTime() + UPLOAD_TIMEOUT_NANOS;
      } else if (deadline - System.nanoTime() < 0) {
        break; // the paths say which file is missing
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    return cache.paths(unit);
  }

  @Override
  public void keep(long owner, List<CodeFile> files) {
    holds
        .computeIfAbsent(owner, id -> new ConcurrentHashMap<>())
        .computeIfAbsent(unit(files), cache::hold);
  }

  private static CodeUnit unit(List<CodeFile> files) {
    return CodeUnit.newBuilder().addAllFiles(files).build();
  }

  @Override
  public void letGo(long owner) {
    Map<CodeUnit, CodeCache.Hold> held = holds.remove(owner);
    if (held != null) {
      held.values().forEach(CodeCache.Hold::close);
    }
  }

  @Override
  public Held hold(List<CodeFile> files) throws IOException {
    CodeUnit unit = unit(files);
    CodeCache.Hold hold = cache.hold(unit);
    boolean held = false;
    try {
      List<Path> paths = cache.paths(unit);
      held = true;
      return new HeldUnit(paths, hold);
    } finally {
      if (!held) {
        hold.close();
      }
    }
  }

  private record HeldUnit(List<Path> paths, CodeCache.Hold hold) implements Held {
    @Override
    public void close() {
      hold.close();
    }
  }
}
