package io.aktis.cluster.control;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the control store of a cluster is: {@code memory}, a directory, or the address of a Redis.
 * Immutable. Opening one is what loads the libraries for it.
 */
public final class ControlPlace {
  /** Names a store that is gone with the head. */
  public static final String MEMORY = "memory";

  private final String text;
  private final Optional<RedisAddress> redis;

  private ControlPlace(String text, Optional<RedisAddress> redis) {
    this.text = text;
    this.redis = redis;
  }

  /**
   * Reads a place.
   *
   * @param text {@code memory}, {@code redis://…}, {@code rediss://…}, or a directory
   * @throws IllegalArgumentException when it is none of them; the message says what is wrong, and
   *     has no password
   */
  public static ControlPlace parse(String text) {
    String place = text.strip();
    if (place.isEmpty()) {
      throw new IllegalArgumentException(
          "a control store is 'memory', a directory, or the address of a Redis");
    }
    if (place.startsWith(RedisAddress.PLAIN + "://")
        || place.startsWith(RedisAddress.TLS + "://")) {
      return new ControlPlace(place, Optional.of(RedisAddress.parse(place)));
    }
    int scheme = place.indexOf("://");
    if (scheme >= 0) {
      throw new IllegalArgumentException(
          "there are no control stores of kind '"
              + place.substring(0, scheme)
              + "'; there are 'memory', a directory, redis:// and rediss://");
    }
    return place.equals(MEMORY)
        ? new ControlPlace(MEMORY, Optional.empty())
        : ofDirectory(Path.of(place));
  }

  /** Returns the store in a directory. */
  public static ControlPlace ofDirectory(Path directory) {
    return new ControlPlace(directory.toAbsolutePath().normalize().toString(), Optional.empty());
  }

  /** Returns what {@link #parse} reads: with the password, if there is one. */
  public String text() {
    return text;
  }

  /** Tells whether nodes on several machines can open it, each of which could be the head. */
  public boolean isShared() {
    return redis.isPresent();
  }

  /** Returns the directory, if it is one. */
  public Optional<Path> directory() {
    return isShared() || text.equals(MEMORY) ? Optional.empty() : Optional.of(Path.of(text));
  }

  /**
   * Opens the store; may wait for some seconds.
   *
   * @param scratch a directory for what is not to be kept
   * @throws IOException when it cannot be opened; the message says why
   */
  public ControlStore open(Path scratch) throws IOException {
    try {
      if (redis.isPresent()) {
        return RedisControlStore.open(redis.get());
      }
      Optional<Path> directory = directory();
      return directory.isPresent()
          ? RocksControlStore.open(directory.get(), scratch)
          : new MemoryControlStore(false);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "the control store "
              + this
              + " needs a library that is not on the class path: "
              + (redis.isPresent() ? "io.lettuce:lettuce-core" : "org.rocksdb:rocksdbjni"),
          e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ControlPlace place && place.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns where it is, without a password. */
  @Override
  public String toString() {
    return redis.map(RedisAddress::toString).orElse(text);
  }
}
