package io.aktis.cluster.node;

import io.aktis.wire.message.CodeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a node daemon needs of its cache of code. Thread-safe; {@link #use} may wait. */
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
}
