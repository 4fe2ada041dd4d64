package io.aktis.cluster.store;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.wire.message.ReadRequest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The store of a node for a process that cannot map its memory, such as a driver on another
 * machine: values are sent and fetched as a whole, through that one node. Thread-safe. Holds
 * nothing but the channel, which is not closed by this.
 */
public final class RemoteStoreClient implements StorePort {
  /** Where values are written; aligned as in a store. */
  private static final long ALIGNMENT_BYTES = 64;

  private final RpcChannel channel;
  private final NodeId node;

  /**
   * Makes a client.
   *
   * @param channel to the daemon of the node
   * @param node the node
   */
  public RemoteStoreClient(RpcChannel channel, NodeId node) {
    this.channel = channel;
    this.node = node;
  }

  /** Takes memory of this process; whether the store has room shows when the writing is sealed. */
  @Override
  public Writing tryCreate(ObjectId id, long sizeBytes) {
    return create(id, sizeBytes);
  }

  /** Takes memory of this process; whether the store has room shows when the writing is sealed. */
  @Override
  public Writing create(ObjectId id, long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("negative size: " + sizeBytes);
    }
    return new RemoteWriting(id, sizeBytes);
  }

  @Override
  public @Nullable Reading pin(ObjectId id, Location at) {
    RemoteReading reading = new RemoteReading();
    MemorySegment segment = null;
    try {
      segment = fetch(id, at, reading.arena);
    } finally {
      if (segment == null) {
        reading.close();
      }
    }
    if (segment == null) {
      return null;
    }
    reading.segment = segment.asReadOnly();
    return reading;
  }

  /** Reads an object into fresh memory; an interrupt does not end the wait. */
  private @Nullable MemorySegment fetch(ObjectId id, Location at, Arena arena) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return read(id, at, arena);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private @Nullable MemorySegment read(ObjectId id, Location at, Arena arena)
      throws IOException, InterruptedException {
    ReadRequest request =
        ReadRequest.newBuilder()
            .setObject(WireIds.of(id))
            .setFromAddress(at.node().equals(node) ? "" : at.address())
            .build();
    try (PartReader reader = new PartReader(channel, request)) {
      long sizeBytes = reader.awaitTotalBytes();
      if (sizeBytes < 0) {
        return null;
      }
      MemorySegment segment = arena.allocate(sizeBytes, ALIGNMENT_BYTES);
      reader.readInto(segment, bytes -> {});
      return segment;
    }
  }

  private final class RemoteWriting implements Writing {
    private final ObjectId id;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private boolean ended;

    RemoteWriting(ObjectId id, long sizeBytes) {
      this.id = id;
      this.segment = arena.allocate(sizeBytes, ALIGNMENT_BYTES);
    }

    @Override
    public MemorySegment segment() {
      if (ended) {
        throw new IllegalStateException("already sealed or closed: " + id);
      }
      return segment;
    }

    /** Sends the object; waits until the node has it. An interrupt does not end the wait. */
    @Override
    public void seal() {
      MemorySegment bytes = segment();
      ended = true;
      try (arena) {
        new ObjectWrite(channel, id, bytes).run();
      }
    }

    @Override
    public void close() {
      if (!ended) {
        ended = true;
        arena.close();
      }
    }
  }

  private static final class RemoteReading implements Reading {
    private final Arena arena = Arena.ofShared();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Set before anybody else sees this. */
    private MemorySegment segment = MemorySegment.NULL;

    @Override
    public MemorySegment segment() {
      return segment;
    }

    @Override
    @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
    public MemorySegment keep() {
      if (!closed.compareAndSet(false, true)) {
        throw new IllegalStateException("the reading is closed");
      }
      return segment.reinterpret(Arena.ofAuto(), _ -> arena.close()).asReadOnly();
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        arena.close();
      }
    }
  }
}
