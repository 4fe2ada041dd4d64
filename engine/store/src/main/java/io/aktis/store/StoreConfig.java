package io.aktis.store;

import java.time.Duration;
import java.util.Objects;

/**
 * What a store is made with. Immutable.
 *
 * @param capacityBytes the memory for all objects of the store together, from 1 to {@link
 *     #MAX_CAPACITY_BYTES}; addresses are reserved with the first object, memory with each write
 * @param createTimeout how long a create waits for room when it is not given a deadline; zero or
 *     more
 */
public record StoreConfig(long capacityBytes, Duration createTimeout) {
  /** The largest capacity: 16 TiB. */
  public static final long MAX_CAPACITY_BYTES = 1L << 44;

  /** The create timeout of {@link #ofCapacity}: 30 seconds. */
  public static final Duration DEFAULT_CREATE_TIMEOUT = Duration.ofSeconds(30);

  private static final Duration MAX_CREATE_TIMEOUT = Duration.ofDays(365);

  /**
   * Checks the values; a timeout of more than a year is shortened to a year.
   *
   * @throws IllegalArgumentException when a value is out of its range
   */
  public StoreConfig {
    Objects.requireNonNull(createTimeout, "createTimeout");
    if (capacityBytes < 1 || capacityBytes > MAX_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          "the capacity of the object store must be 1 to "
              + MAX_CAPACITY_BYTES
              + " bytes: "
              + capacityBytes);
    }
    if (createTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "the create timeout must not be negative: " + createTimeout);
    }
    if (createTimeout.compareTo(MAX_CREATE_TIMEOUT) > 0) {
      createTimeout = MAX_CREATE_TIMEOUT;
    }
  }

  /** Returns the defaults with the given capacity. */
  public static StoreConfig ofCapacity(long capacityBytes) {
    return new StoreConfig(capacityBytes, DEFAULT_CREATE_TIMEOUT);
  }
}
