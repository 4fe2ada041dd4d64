package io.aktis.cluster;

import io.aktis.cluster.code.CodeCache;
import io.aktis.cluster.node.NodeCode;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The code cache of a node as its daemon uses it: a worker starts when its code is there. */
final class CachedNodeCode implements NodeCode {
  /** A driver uploads its code while the first worker is about to start. */
  private static final long UPLOAD_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(120);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final CodeCache cache;
  private final Map<Long, List<CodeCache.Hold>> holds = new ConcurrentHashMap<>();

  CachedNodeCode(CodeCache cache) {
    this.cache = cache;
  }

  @Override
  public List<Path> use(long owner, List<CodeFile> files) throws IOException {
    CodeUnit unit = CodeUnit.newBuilder().addAllFiles(files).build();
    CodeCache.Hold hold = cache.hold(unit);
    holds.compute(
        owner,
        (id, held) -> {
          List<CodeCache.Hold> all = held == null ? new ArrayList<>() : held;
          all.add(hold);
          return all;
        });
    long deadline = System.nanoTime() + UPLOAD_TIMEOUT_NANOS;
    while (cache.lacks(unit).getFilesCount() > 0 && holds.containsKey(owner)) {
      if (deadline - System.nanoTime() < 0) {
        break; // the paths say which file is missing
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    return cache.paths(unit);
  }

  @Override
  public void letGo(long owner) {
    List<CodeCache.Hold> held = holds.remove(owner);
    if (held != null) {
      held.forEach(CodeCache.Hold::close);
    }
  }

  @Override
  public Held hold(List<CodeFile> files) throws IOException {
    CodeUnit unit = CodeUnit.newBuilder().addAllFiles(files).build();
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
