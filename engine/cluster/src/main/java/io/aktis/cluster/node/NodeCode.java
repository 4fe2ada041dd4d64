package io.aktis.cluster.node;

import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What a node daemon needs of its cache of code. Thread-safe; methods may wait unless they say so.
 */
public interface NodeCode {
  /**
   * Finds files for a worker, and keeps them until {@link #letGo}. Waits for those that are on
   * their way.
   *
   * @param givenUp whether nobody wants them any more; asked now and then
   * @return where they are, in the same order
   * @throws IOException naming a file that is not here
   */
  List<Path> use(long owner, List<CodeFile> files, BooleanSupplier givenUp) throws IOException;

  /** Keeps files until {@link #letGo}, those that are here and those that come. Must not wait. */
  void keep(long owner, List<CodeFile> files);

  /** Nothing of the owner needs its files any more. Must not wait. */
  void letGo(long owner);

  /**
   * Keeps the files of a submitted program, which were sent before.
   *
   * @throws IOException naming a file that is not here
   * @throws IllegalArgumentException when what is asked for makes no sense; the message says why
   */
  Held hold(List<CodeFile> files) throws IOException;

  /** Files that stay until it is closed, once. Thread-safe. */
  interface Held extends AutoCloseable {
    /** Returns where they are, in the order in which they were asked for. */
    List<Path> paths();

    /** Lets them go. Must not wait. */
    @Override
    void close();
  }
}
