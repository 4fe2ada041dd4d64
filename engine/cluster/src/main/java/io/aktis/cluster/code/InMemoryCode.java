package io.aktis.cluster.code;

import java.util.Map;

/**
 * A class loader whose classes lie in memory, not in files, such as those of a source file that was
 * just compiled. A program whose loader implements this can be sent to nodes.
 */
public interface InMemoryCode {
  /**
   * Returns all files of the loader by their names in a jar, such as {@code
   * com/example/Main.class}. Called once a session, by the thread that opens it; the arrays are
   * read and not changed.
   */
  Map<String, byte[]> files();
}
