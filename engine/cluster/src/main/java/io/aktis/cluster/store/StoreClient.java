package io.aktis.cluster.store;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.store.SharedMemoryView;
import io.aktis.wire.message.Create;
import io.aktis.wire.message.Pin;
import io.aktis.wire.message.Place;
import io.aktis.wire.message.StoreReply;
import io.aktis.wire.message.StoreRequest;
import io.aktis.wire.message.StoreUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The store of this machine's node, whose memory this process maps: a value is written and read
 * where it lies. Thread-safe; whoever opened it closes it. When the connection to the node is lost,
 * every call fails, and what is held must not be used any more: the process is about to end.
 */
public final class StoreClient implements StorePort, AutoCloseable {
  private final NodeId node;
  private final StoreCalls calls;
  private final SharedMemoryView memory;

  private StoreClient(NodeId node, StoreCalls calls, SharedMemoryView memory) {
    this.node = node;
    this.calls = calls;
    this.memory = memory;
  }

  /**
   * Maps the memory and connects.
   *
   * @param channel to the daemon of the node; not closed by this
   * @param node the node
   * @param storeFile the file that the node has told
   * @param capacityBytes the capacity that the node has told
   * @param user what this process is called where people look for who holds an object
   * @throws IOException when the file cannot be mapped or is shorter than the capacity
   */
  public static StoreClient open(
      RpcChannel channel, NodeId node, Path storeFile, long capacityBytes, String user)
      throws IOException {
    SharedMemoryView memory = SharedMemoryView.open(storeFile);
    if (memory.sizeBytes() < capacityBytes) {
      memory.close();
      throw new IOException(
          storeFile
              + " has "
              + memory.sizeBytes()
              + " bytes, the store that it should be has "
              + capacityBytes);
    }
    StoreCalls calls = new StoreCalls(channel);
    calls.tell(StoreRequest.newBuilder().setUser(StoreUser.newBuilder().setName(user)));
    return new StoreClient(node, calls, memory);
  }

  @Override
  public @Nullable Writing tryCreate(ObjectId id, long sizeBytes) {
    StoreReply reply = join(calls.ask(create(id, sizeBytes, true)));
    if (reply.hasFull() && reply.getFull().getCanEverFit()) {
      return null;
    }
    return writing(reply);
  }

  @Override
  public Writing create(ObjectId id, long sizeBytes) throws InterruptedException {
    CompletableFuture<StoreReply> asked = calls.ask(create(id, sizeBytes, false));
    try {
      return writing(asked.get());
    } catch (ExecutionException e) {
      throw lost(e.getCause());
    } catch (InterruptedException e) {
      var _ = asked.thenAccept(this::abort); // a lost call leaves nothing
      throw e;
    }
  }

  private static StoreRequest.Builder create(ObjectId id, long sizeBytes, boolean atOnce) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException("negative size: " + sizeBytes);
    }
    return StoreRequest.newBuilder()
        .setCreate(
            Create.newBuilder()
                .setObject(WireIds.of(id))
                .setSizeBytes(sizeBytes)
                .setAtOnce(atOnce));
  }

  private void abort(StoreReply reply) {
    if (reply.hasCreated()) {
      abort(reply.getCreated().getHold());
    }
  }

  private void abort(long hold) {
    calls.tell(StoreRequest.newBuilder().setAbort(hold));
  }

  private void unpin(long hold) {
    calls.tell(StoreRequest.newBuilder().setUnpin(hold));
  }

  private Writing writing(StoreReply reply) {
    Place place = checked(reply).getCreated();
    boolean made = false;
    try {
      Mapped mapped = map(place);
      made = true;
      return new SharedWriting(place, mapped);
    } finally {
      if (!made) {
        abort(place.getHold());
      }
    }
  }

  @Override
  public @Nullable Reading pin(ObjectId id, Location at) {
    Place place = pinned(id, at);
    if (place == null) {
      return null;
    }
    boolean made = false;
    try {
      Mapped mapped = map(place);
      made = true;
      return new SharedReading(place, mapped);
    } finally {
      if (!made) {
        unpin(place.getHold());
      }
    }
  }

  private @Nullable Place pinned(ObjectId id, Location at) {
    String from = at.node().equals(node) ? "" : at.address();
    Pin pin = Pin.newBuilder().setObject(WireIds.of(id)).setFromAddress(from).build();
    StoreReply reply = checked(join(calls.ask(StoreRequest.newBuilder().setPin(pin))));
    return reply.hasPinned() ? reply.getPinned() : null;
  }

  /** Waits for an answer; an interrupt does not end the wait. */
  private static StoreReply join(CompletableFuture<StoreReply> asked) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw lost(e.getCause());
    }
  }

  private static IllegalStateException lost(@Nullable Throwable cause) {
    String message = cause == null ? "the object store gives no answer" : cause.getMessage();
    return new IllegalStateException(message, cause);
  }

  private static StoreReply checked(StoreReply reply) {
    if (reply.hasFull()) {
      throw Wire.exception(reply.getFull());
    }
    if (reply.hasError()) {
      throw new IllegalStateException("the object store of the node refuses: " + reply.getError());
    }
    return reply;
  }

  /** Lets go of all that this process holds; views stay readable. Idempotent. */
  @Override
  public void close() {
    calls.close();
    memory.close();
  }

  private Mapped map(Place place) {
    if (place.getFile().isEmpty()) {
      return new Mapped(memory, false);
    }
    try {
      return new Mapped(SharedMemoryView.open(Path.of(place.getFile())), true);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot map the object in " + place.getFile(), e);
    }
  }

  /** The file that an object is in; its own one is unmapped with it. */
  private record Mapped(SharedMemoryView file, boolean own) implements AutoCloseable {
    @Override
    public void close() {
      if (own) {
        file.close();
      }
    }
  }

  private final class SharedWriting implements Writing {
    private final Place place;
    private final Mapped mapped;
    private boolean ended;

    SharedWriting(Place place, Mapped mapped) {
      this.place = place;
      this.mapped = mapped;
    }

    @Override
    public MemorySegment segment() {
      if (ended) {
        throw new IllegalStateException("already sealed or closed");
      }
      return mapped.file().writing(place.getOffset(), place.getSizeBytes());
    }

    @Override
    public void seal() {
      if (ended) {
        throw new IllegalStateException("already sealed or closed");
      }
      ended = true;
      try (mapped) {
        checked(join(calls.ask(StoreRequest.newBuilder().setSeal(place.getHold()))));
      }
    }

    @Override
    public void close() {
      if (!ended) {
        ended = true;
        mapped.close();
        abort(place.getHold());
      }
    }
  }

  private final class SharedReading implements Reading {
    private final Place place;
    private final Mapped mapped;
    private final MemorySegment segment;
    private final AtomicBoolean closed = new AtomicBoolean();

    SharedReading(Place place, Mapped mapped) {
      this.place = place;
      this.mapped = mapped;
      this.segment = mapped.file().reading(place.getOffset(), place.getSizeBytes());
    }

    @Override
    public MemorySegment segment() {
      if (closed.get()) {
        throw new IllegalStateException("the reading is closed");
      }
      return segment;
    }

    @Override
    public MemorySegment keep() {
      if (!closed.compareAndSet(false, true)) {
        throw new IllegalStateException("the reading is closed");
      }
      boolean made = false;
      try (mapped) {
        long hold = place.getHold();
        MemorySegment kept =
            mapped.file().keptReading(place.getOffset(), place.getSizeBytes(), () -> unpin(hold));
        made = true;
        return kept;
      } finally {
        if (!made) {
          unpin(place.getHold());
        }
      }
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        mapped.close();
        unpin(place.getHold());
      }
    }
  }
}
