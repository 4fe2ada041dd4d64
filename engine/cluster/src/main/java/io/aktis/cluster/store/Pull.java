package io.aktis.cluster.store;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.cluster.store.Sources.Channels;
import io.aktis.cluster.store.Sources.Place;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.wire.message.ReadRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one object from another node to this one. A first part tells its size, and is all of a
 * small one. The rest of a large one is read in pieces, by several streams, from whom {@link
 * Sources} says; others may read here what has come. What breaks off goes on where it was, at
 * another source or the same. Confined to the thread that runs it, and those that it starts.
 */
final class Pull {
  /** The part that tells how much there is. */
  static final int FIRST_BYTES = Wire.CHUNK_BYTES;

  static final long PIECE_BYTES = 32L << 20;
  private static final int MAX_STREAMS = 4;
  private static final int TRIES = 2;

  private static final Logger LOG = LoggerFactory.getLogger(Pull.class);

  private final ObjectStore store;
  private final ObjectId id;
  private final String from;
  private final String ownAddress;
  private final Channels channels;
  private final Consumer<Incoming> whenItComes;

  /**
   * Makes a pull.
   *
   * @param from host and port of a node that has the object
   * @param ownAddress where others can read what comes; empty when they cannot
   * @param whenItComes is told what others can read
   */
  Pull(
      ObjectStore store,
      ObjectId id,
      String from,
      String ownAddress,
      Channels channels,
      Consumer<Incoming> whenItComes) {
    this.store = store;
    this.id = id;
    this.from = from;
    this.ownAddress = ownAddress;
    this.channels = channels;
    this.whenItComes = whenItComes;
  }

  /**
   * Copies the object as a copy that may be dropped.
   *
   * @return a pin of it; null when the other node does not have it, cannot be reached, or breaks
   *     off and nobody else can send the rest
   * @throws io.aktis.store.StoreFullException when there is no room for it
   */
  @Nullable Pin run() throws InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      Piece part = new Piece(0, FIRST_BYTES);
      try (PartReader first = reader(new Place(from, false), part, 0)) {
        long totalBytes = first.awaitTotalBytes();
        return totalBytes < 0 ? null : copy(first, totalBytes);
      } catch (IOException e) {
        LOG.info("attempt {} of {}: {}", attempt, TRIES, e.getMessage());
      }
    }
    return null;
  }

  private @Nullable Pin copy(PartReader first, long totalBytes) throws InterruptedException {
    try (Creation creation = store.create(id, totalBytes)) {
      Incoming incoming = new Incoming(creation.segment());
      boolean complete = false;
      try {
        readAll(first, incoming);
        incoming.sealing();
        Pin pin = creation.sealCopy();
        incoming.sealed(() -> store.tryPin(id));
        complete = true;
        return pin == null ? store.pin(id) : pin;
      } catch (IOException e) {
        LOG.info("{} of {} bytes have come: {}", incoming.arrivedBytes(), id, e.getMessage());
        return null;
      } finally {
        if (!complete) {
          incoming.failed();
        }
      }
    }
  }

  private PartReader reader(Place place, Piece piece, int stream) {
    ReadRequest request =
        ReadRequest.newBuilder()
            .setObject(WireIds.of(id))
            .setOffset(piece.offset())
            .setLengthBytes(piece.length())
            .setPresentOnly(place.presentOnly())
            .build();
    return new PartReader(channels.to(place.address(), stream), request);
  }

  /** Returns when nobody writes to the target any more, whatever the outcome. */
  private void readAll(PartReader first, Incoming target) throws IOException, InterruptedException {
    long totalBytes = target.sizeBytes();
    Piece part = new Piece(0, Math.min(totalBytes, FIRST_BYTES));
    Pieces pieces = new Pieces(part.length(), totalBytes, PIECE_BYTES);
    boolean unbroken = read(first, part, target, pieces);
    if (unbroken && part.length() == totalBytes) {
      return;
    }
    whenItComes.accept(target);
    try (Sources sources = new Sources(id, from, ownAddress, channels)) {
      int streams = Math.clamp((totalBytes + PIECE_BYTES - 1) / PIECE_BYTES, 1, MAX_STREAMS);
      readPieces(streams, pieces, target, sources);
      sources.end(true);
    }
  }

  private void readPieces(int streams, Pieces pieces, Incoming target, Sources sources)
      throws IOException, InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> others = new ArrayList<>();
    for (int i = 1; i < streams; i++) {
      int stream = i;
      others.add(
          Thread.ofVirtual()
              .name("store-pull-" + i)
              .start(() -> readAsOther(stream, pieces, target, sources, failure)));
    }
    boolean done = false;
    try {
      readPieces(0, pieces, target, sources, failure);
      done = true;
    } finally {
      if (!done) {
        sources.close();
        others.forEach(Thread::interrupt);
      }
      joinUninterruptibly(others);
    }
    Throwable cause = failure.get();
    if (cause != null) {
      throw new IOException(cause.getMessage(), cause);
    }
  }

  private void readAsOther(
      int stream,
      Pieces pieces,
      Incoming target,
      Sources sources,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      readPieces(stream, pieces, target, sources, failure);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      failure.compareAndSet(null, e); // thrown by the thread that started this one
      sources.close();
    }
  }

  private void readPieces(
      int stream,
      Pieces pieces,
      Incoming target,
      Sources sources,
      AtomicReference<@Nullable Throwable> failure)
      throws IOException, InterruptedException {
    Piece piece = pieces.take();
    while (piece != null && failure.get() == null) {
      Place place = null;
      boolean read = false;
      try {
        place = sources.await();
        read = read(place, piece, stream, target, pieces, sources);
      } finally {
        if (place == null) {
          pieces.giveBack(piece);
        }
      }
      if (!read) {
        sources.failed(place);
      }
      piece = pieces.take();
    }
  }

  /** Reads a piece; what does not come is given back. */
  private boolean read(
      Place place, Piece piece, int stream, Incoming target, Pieces pieces, Sources sources)
      throws InterruptedException {
    long before = target.arrivedBytes();
    try (PartReader reader = reader(place, piece, stream)) {
      boolean read = read(reader, piece, target, pieces);
      if (target.arrivedBytes() > before) {
        sources.progressed();
      }
      return read;
    }
  }

  private boolean read(PartReader reader, Piece piece, Incoming target, Pieces pieces)
      throws InterruptedException {
    boolean all = false;
    try {
      long totalBytes = reader.awaitTotalBytes();
      if (totalBytes != target.sizeBytes()) {
        LOG.info("{} is not at its source, or not the same: {} bytes", id, totalBytes);
        return false;
      }
      reader.readInto(target.memory(piece));
      all = true;
      return true;
    } catch (IOException e) {
      LOG.info("{}", e.getMessage());
      return false;
    } finally {
      reader.close(); // after which it writes no more
      long came = all ? piece.length() : reader.readBytes();
      target.arrived(piece.first(came));
      pieces.giveBack(piece.after(came));
    }
  }

  /** They write to memory that is given back afterwards. */
  private static void joinUninterruptibly(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
