package io.aktis.cluster.node;

import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a node daemon needs of its cache of code. Thread-safe; methods may wait unless they say so.
 */
public interface NodeCode {
  /**
   * Finds files of code for a worker, and keeps them until {@link #letGo}.
   *
   * @return where they are, in the same order
   * @throws IOException naming a file that is not here
   */
  List<Path> use(long owner, List<CodeFile> files) throws IOException;

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
