package io.aktis.runtime.port;

import io.aktis.wire.message.CodeFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a runtime environment, as nodes know them.
 *
 * @param jars what is looked at before the code of the program, in order
 * @param workingDirectory an archive of what a process starts in; null for none
 */
public record EnvironmentFiles(List<CodeFile> jars, @Nullable CodeFile workingDirectory) {
  /** Copies what is given. */
  public EnvironmentFiles {
    jars = List.copyOf(jars);
  }

  /** Returns whether there is none. */
  public boolean isEmpty() {
    return jars.isEmpty() && workingDirectory == null;
  }
}
