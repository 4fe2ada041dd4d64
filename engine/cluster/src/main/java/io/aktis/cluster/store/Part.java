package io.aktis.cluster.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/**
 * A part of an object that is being read from another node. Used by one thread, which closes it.
 */
interface Part extends AutoCloseable {
  /**
   * Waits for the size of the whole object in bytes.
   *
   * @return the size; -1 when the node does not have the object
   * @throws IOException when the connection breaks off
   */
  long awaitTotalBytes() throws IOException, InterruptedException;

  /**
   * Reads all bytes of the part.
   *
   * @param target exactly as long as the part
   * @param arrived may be told now and then how many of the first bytes will not change any more
   * @throws IOException when the connection breaks off or brings another number of bytes
   */
  void readInto(MemorySegment target, LongConsumer arrived)
      throws IOException, InterruptedException;

  /** Returns how many of the first bytes were written to the target; final after the close. */
  long readBytes();

  /** Ends the reading; nothing is written to the target any more. */
  @Override
  void close();
}
