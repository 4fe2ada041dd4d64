package io.aktis.store;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Where a store puts the objects for which its memory has no room. Immutable.
 *
 * @param directory for this store alone, of one session: made if it does not exist, and removed
 *     with all that the store has put there when the store is closed
 * @param quotaBytes the files in it take no more together; 1 or more
 */
public record SpillConfig(Path directory, long quotaBytes) {
  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException when the quota is not positive
   */
  public SpillConfig {
    Objects.requireNonNull(directory, "directory");
    if (quotaBytes < 1) {
      throw new IllegalArgumentException("the spill quota must be 1 byte or more: " + quotaBytes);
    }
  }
}
