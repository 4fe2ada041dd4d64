package io.aktis.cluster.store;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.cluster.store.Sources.Channels;
import io.aktis.cluster.store.Sources.Place;
import io.aktis.core.id.ObjectId;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
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

  /** By gRPC a stream is bound to one thread that does a lot for each byte. */
  private static final int MAX_STREAMS = 4;

  /**
   * Over a data port one stream is as fast as a core can copy. A second one would take another core
   * at both ends, which those have better uses for.
   */
  private static final int MAX_DATA_STREAMS = 1;

  private static final int TRIES = 2;

  private static final Logger LOG = LoggerFactory.getLogger(Pull.class);

  private final ObjectStore store;
  private final ObjectId id;
  private final String from;
  private final String ownAddress;
  private final Channels channels;
  private final DataPaths paths;
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
      DataPaths paths,
      Consumer<Incoming> whenItComes) {
    this.store = store;
    this.id = id;
    this.from = from;
    this.ownAddress = ownAddress;
    this.channels = channels;
    this.paths = paths;
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
      try (DataLink link = link(0);
          Part first = link.readByCall(new Place(from, false), part)) {
        long totalBytes = first.awaitTotalBytes();
        return totalBytes < 0 ? null : copy(first, totalBytes);
      } catch (IOException e) {
        LOG.info("attempt {} of {}: {}", attempt, TRIES, e.getMessage());
      }
    }
    return null;
  }

  private @Nullable Pin copy(Part first, long totalBytes) throws InterruptedException {
    try (Creation creation = store.create(id, totalBytes)) {
      Incoming incoming = new Incoming(creation.segment(), creation::pin);
      try {
        readAll(first, incoming);
        incoming.sealing();
        Pin pin = creation.sealCopy();
        return pin == null ? store.pin(id) : pin;
      } catch (IOException e) {
        LOG.info("{} of {} bytes have come: {}", incoming.arrivedBytes(), id, e.getMessage());
        return null;
      } finally {
        incoming.ended();
      }
    }
  }

  private DataLink link(int stream) {
    return new DataLink(id, channels, paths, stream);
  }

  /** Returns when nobody writes to the target any more, whatever the outcome. */
  private void readAll(Part first, Incoming target) throws IOException, InterruptedException {
    long totalBytes = target.sizeBytes();
    Piece part = new Piece(0, Math.min(totalBytes, FIRST_BYTES));
    Pieces pieces = new Pieces(part.length(), totalBytes, PIECE_BYTES);
    boolean unbroken = read(first, part, target, pieces);
    if (unbroken && part.length() == totalBytes) {
      return;
    }
    whenItComes.accept(target);
    try (Sources sources = new Sources(id, from, ownAddress, channels)) {
      int most = paths.areUsed() ? MAX_DATA_STREAMS : MAX_STREAMS;
      int streams = Math.clamp((totalBytes + PIECE_BYTES - 1) / PIECE_BYTES, 1, most);
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
    try (DataLink link = link(stream)) {
      Piece piece = pieces.take();
      while (piece != null && failure.get() == null) {
        Place place = null;
        boolean read = false;
        try {
          place = sources.await();
          read = read(place, piece, link, target, pieces, sources);
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
  }

  /** Reads a piece; what does not come is given back. */
  private boolean read(
      Place place, Piece piece, DataLink link, Incoming target, Pieces pieces, Sources sources)
      throws InterruptedException {
    long before = target.arrivedBytes();
    boolean begun = false;
    try (Part part = link.read(place, piece)) {
      begun = true;
      return read(part, piece, target, pieces);
    } catch (IOException e) {
      LOG.info("reading {} from {} broke off: {}", id, place.address(), e.getMessage());
      return false;
    } finally {
      if (!begun) {
        pieces.giveBack(piece);
      }
      if (target.arrivedBytes() > before) {
        sources.progressed();
      }
    }
  }

  private boolean read(Part part, Piece piece, Incoming target, Pieces pieces)
      throws InterruptedException {
    Arrival arrival = new Arrival(piece, target);
    boolean all = false;
    try {
      long totalBytes = part.awaitTotalBytes();
      if (totalBytes != target.sizeBytes()) {
        LOG.info("{} is not at its source, or not the same: {} bytes", id, totalBytes);
        return false;
      }
      part.readInto(target.memory(piece), arrival::upTo);
      all = true;
      return true;
    } catch (IOException e) {
      if (Thread.interrupted()) { // which closes a connection of NIO
        throw new InterruptedException(e.getMessage());
      }
      LOG.info("reading {} broke off: {}", id, e.getMessage());
      return false;
    } finally {
      part.close(); // after which it writes no more
      long came = all ? piece.length() : part.readBytes();
      arrival.upTo(came);
      pieces.giveBack(piece.after(came));
    }
  }

  /** Tells of the bytes of a piece as they come. Confined to the thread that reads it. */
  private static final class Arrival {
    private final Piece piece;
    private final Incoming target;
    private long told;

    Arrival(Piece piece, Incoming target) {
      this.piece = piece;
      this.target = target;
    }

    void upTo(long bytes) {
      target.arrived(new Piece(piece.offset() + told, bytes - told));
      told = bytes;
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
