package io.aktis.cluster.control;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.SortedMap;

/**
 * Where heads write down what the heads after them have to know: tables of keys and bytes. It
 * counts the heads: each one claims the store, which begins an <em>epoch</em>, and only the one of
 * the last epoch can write. So an earlier head that lives on, and does not know of the later one,
 * can do no harm.
 *
 * <p>Methods wait, for a disk or for a network of which nothing is promised, some seconds at most;
 * so they are never called on a loop or a network thread. What was written when a method returns
 * stays, as far as the disk keeps what it was told. A method that throws may have written all or
 * nothing. Thread-safe; whoever opens it closes it.
 */
public interface ControlStore extends AutoCloseable {
  /** Tells whether nodes on several machines can open it, each of which could be the head. */
  boolean isShared();

  /**
   * Returns the session that the store is of.
   *
   * @param proposed becomes the session of a store that has none; empty to only ask
   * @return the session; empty when there is none, and none was proposed
   * @throws IOException when the store cannot be asked; the message says why
   */
  String session(String proposed) throws IOException;

  /**
   * Returns how many heads have claimed the store so far.
   *
   * @throws IOException when the store cannot be asked; the message says why
   */
  long epoch() throws IOException;

  /**
   * Returns a table, by key; empty when nothing was ever written there.
   *
   * @throws IOException when the store cannot be asked; the message says why
   */
  SortedMap<String, ByteString> read(String table) throws IOException;

  /**
   * Begins the next epoch, if the store is still in the one that the caller has seen.
   *
   * @param seen the epoch that the caller has seen
   * @param batch changes that are made with it
   * @return whether the caller is the head of epoch {@code seen + 1}; nothing was changed if not
   * @throws IOException when the store cannot be asked; the message says why
   */
  boolean claim(long seen, ControlBatch batch) throws IOException;

  /**
   * Makes changes, all or none.
   *
   * @param epoch that of the head that writes
   * @throws FencedException when the store is not in this epoch
   * @throws IOException when the store cannot be asked; the message says why
   */
  void write(long epoch, ControlBatch batch) throws IOException;

  /** Ends the connection, or lets other processes open the files. Idempotent. */
  @Override
  void close();
}
