package io.aktis.cluster.store;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The parts of an object that are still to be read. Thread-safe. */
final class Pieces {
  /** One part, in bytes. */
  record Piece(long offset, long length) {
    long end() {
      return offset + length;
    }

    Piece first(long bytes) {
      return new Piece(offset, bytes);
    }

    Piece after(long bytes) {
      return new Piece(offset + bytes, length - bytes);
    }
  }

  private final long pieceBytes;
  private final long end;

  // Guarded by the monitor.
  private final Deque<Piece> returned = new ArrayDeque<>();
  private long next;

  Pieces(long begin, long end, long pieceBytes) {
    this.next = begin;
    this.end = end;
    this.pieceBytes = pieceBytes;
  }

  /** Takes the next part; null when all are taken. */
  synchronized @Nullable Piece take() {
    Piece again = returned.poll();
    if (again != null || next == end) {
      return again;
    }
    Piece piece = new Piece(next, Math.min(pieceBytes, end - next));
    next += piece.length();
    return piece;
  }

  /** Gives back what was taken and not read. */
  synchronized void giveBack(Piece piece) {
    if (piece.length() > 0) {
      returned.add(piece);
    }
  }
}
